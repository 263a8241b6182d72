/** The outcome as a table: clients down, upstream protocols across, and below it what went wrong. */
import type { CellOutcome } from './matrix-cell.ts'
import { UPSTREAM_PROTOCOLS } from './matrix-gateway.ts'

const LONGEST_OUTPUT_CHARACTERS = 400

export function matrixTable(outcomes: readonly CellOutcome[]): string {
  const ids = [...new Set(outcomes.map(({ cell }) => cell.client.id))]
  const rows = ids.map((id) => [id, ...UPSTREAM_PROTOCOLS.map((upstream) => verdicts(outcomes, { id, upstream }))])
  const lines = [['client', ...UPSTREAM_PROTOCOLS], ...rows]
  const widths = lines.reduce<number[]>(
    (widest, line) => line.map((text, at) => Math.max(text.length, widest[at] ?? 0)),
    [],
  )
  const table = lines.map((line) => line.map((text, at) => text.padEnd(widths[at] ?? 0)).join('  '))
  const failures = outcomes.filter(({ problems }) => problems.length > 0).map(told)
  return [...table, ...failures].join('\n')
}

/** `ok ok`: the plain answer, then the tool round trip. */
function verdicts(outcomes: readonly CellOutcome[], place: { id: string; upstream: string }): string {
  return outcomes
    .filter(({ cell }) => cell.client.id === place.id && cell.upstream === place.upstream)
    .map(({ problems }) => (problems.length === 0 ? 'ok' : 'FAILED'))
    .join(' ')
}

function told({ cell, problems, evidence }: CellOutcome): string {
  const { stdout, stderr } = evidence.run
  const printed = [stdout, stderr]
    .map((text) => text.trim().slice(-LONGEST_OUTPUT_CHARACTERS))
    .filter((text) => text !== '')
  return `\n${cell.keyName}: ${problems.join('; ')}\n${printed.map((text) => `  | ${text.replaceAll('\n', '\n  | ')}`).join('\n')}`
}
