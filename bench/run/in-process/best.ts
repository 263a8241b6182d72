/** Microseconds of one call, the best of `rounds` rounds. */
export function best(calls: number, run: () => unknown): number {
  let shortest = Infinity
  for (let round = 0; round < 40; round++) {
    const start = process.hrtime.bigint()
    for (let call = 0; call < calls; call++) run()
    shortest = Math.min(shortest, Number(process.hrtime.bigint() - start) / calls / 1000)
  }
  return shortest
}

export function row(cells: readonly (string | number)[]): void {
  console.log(cells.map((cell, i) => (i === 0 ? String(cell).padEnd(34) : String(cell).padStart(14))).join(''))
}
