/** What was typed, understood; or why not. */
export type Reading<T> = { value: T; problem?: undefined } | { value?: undefined; problem: string }
