/** The outcome as a table: clients down, upstreams across, and below it what went wrong. */
import { CELL_KINDS, type CellOutcome } from './matrix-cell.ts'
import { MATRIX_UPSTREAMS } from './matrix-gateway.ts'

const LONGEST_OUTPUT_CHARACTERS = 400

export function matrixTable(outcomes: readonly CellOutcome[]): string {
  const ids = [...new Set(outcomes.map(({ cell }) => cell.client.id))]
  const columns = MATRIX_UPSTREAMS.filter((upstream) => outcomes.some(({ cell }) => cell.upstream === upstream))
  const rows = ids.map((id) => [id, ...columns.map((upstream) => verdicts(outcomes, { id, upstream }))])
  const lines = [['client', ...columns], ...rows]
  const widths = lines.reduce<number[]>(
    (widest, line) => line.map((text, at) => Math.max(text.length, widest[at] ?? 0)),
    [],
  )
  const table = lines.map((line) => line.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  '))
  const failures = outcomes.filter(({ problems }) => problems.length > 0).map(describeFailure)
  return [...table, ...failures].join('\n')
}

/** `ok ok`: the plain answer, then the tool round trip; `-` for one that was not asked for. */
function verdicts(outcomes: readonly CellOutcome[], place: { id: string; upstream: string }): string {
  const here = outcomes.filter(({ cell }) => cell.client.id === place.id && cell.upstream === place.upstream)
  return CELL_KINDS.map((kind) => {
    const outcome = here.find(({ cell }) => cell.kind === kind)
    return outcome === undefined ? '-' : outcome.problems.length === 0 ? 'ok' : 'FAILED'
  }).join(' ')
}

function describeFailure({ cell, problems, evidence }: CellOutcome): string {
  const { stdout, stderr } = evidence.run
  const printed = [stdout, stderr]
    .map((text) => text.trim().slice(-LONGEST_OUTPUT_CHARACTERS))
    .filter((text) => text !== '')
  return `\n${cell.keyName}: ${problems.join('; ')}\n${printed.map((text) => `  | ${text.replaceAll('\n', '\n  | ')}`).join('\n')}`
}
