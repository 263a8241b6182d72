/** Puts more at the end of a list. `push(...more)` takes every one as an argument, and breaks at some 100,000 of them. */
export function append<T>(list: T[], more: Iterable<T>): void {
  for (const each of more) list.push(each)
}
