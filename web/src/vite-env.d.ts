/// <reference types="vite/client" />

interface ImportMetaEnv {
  /** A key for `vite dev` against a server without a session. Never in a build. */
  readonly VITE_DEV_KEY?: string
}
