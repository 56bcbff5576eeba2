import { describe, expect, it } from "vitest"
import { withoutBase } from "../../src/address"

describe("address", () => {
  it("takes the base off paths below it, and only those", () => {
    expect(withoutBase("/gnomon/login", "/gnomon")).toBe("/login")
    expect(withoutBase("/gnomon", "/gnomon")).toBe("/")
    expect(withoutBase("/gnomon/", "/gnomon")).toBe("/")
    expect(withoutBase("/gnomonical/x", "/gnomon")).toBe("/gnomonical/x")
    expect(withoutBase("/login", "")).toBe("/login")
  })
})
