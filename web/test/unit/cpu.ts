// What work costs, in a measure that other programs on a busy machine do not change.

/** Milliseconds of processor time that this thread spends on the work. */
export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
