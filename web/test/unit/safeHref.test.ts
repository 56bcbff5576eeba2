import { describe, expect, test } from "vitest"
import { codeOf, loginAddress, safeNext } from "../../src/login"
import { safeHref } from "../../src/parts/safeHref"

describe("safeHref", () => {
  test.each([
    ["https://example.org/a?b=c#d", "https://example.org/a?b=c#d"],
    ["HTTP://Example.org", "http://example.org/"],
    ["mailto:a@example.org", "mailto:a@example.org"],
  ])("keeps %s", (address, href) => expect(safeHref(address)).toBe(href))

  test.each([
    ["javascript:alert(1)"],
    ["JaVaScRiPt:alert(1)"],
    ["java\tscript:alert(1)"],
    ["java\nscript:alert(1)"],
    ["\u0001javascript:alert(1)"],
    [" javascript:alert(1)"],
    [" https://example.org"],
    ["https://exa\u0000mple.org"],
    ["https://example.org/\u202egpj.exe"],
    ["https://example\u200b.org"],
    ["data:text/html,<script>alert(1)</script>"],
    ["vbscript:x"],
    ["blob:https://example.org/1"],
    ["file:///etc/passwd"],
    ["//example.org"],
    ["///example.org"],
    ["\\\\example.org"],
    ["https:\\\\example.org"],
    ["https:example.org"],
    ["https:///example.org"],
    ["https://known.example@evil.example"],
    ["https://a:b@evil.example"],
    ["/relative"],
    ["relative"],
    ["#fragment"],
    [""],
    [`https://example.org/${"a".repeat(2000)}`],
    [null],
    [undefined],
    [["https://example.org"]],
  ])("refuses %j", (address) => expect(safeHref(address)).toBeNull())
})

describe("where the login leads", () => {
  test.each([["/projects/a/traces?q=1#x"], ["/"], ["/loginish"], ["/projects/%2F%2Fhost"]])("to %s", (next) =>
    expect(safeNext(next)).toBe(next),
  )
  test.each([
    ["//host/a"],
    ["/\\host"],
    ["/a\\b"],
    ["https://host"],
    ["javascript:alert(1)"],
    ["/\t/host"],
    ["/\n/host"],
    ["projects"],
    [""],
    [undefined],
    ["/login"],
    ["/login?next=/login"],
  ])("not to %j", (next) => expect(safeNext(next)).toBe("/"))

  test("the address of the login holds the way back", () => {
    expect(loginAddress("/projects/a?q=b&c=d")).toBe("/login?next=%2Fprojects%2Fa%3Fq%3Db%26c%3Dd")
    expect(loginAddress("/")).toBe("/login")
  })

  test("the code stands in the fragment", () => {
    expect(codeOf("#code=abc-_1")).toBe("abc-_1")
    expect(codeOf("#code=")).toBeNull()
    expect(codeOf("")).toBeNull()
  })
})
