/**
 * `npm run bench -- run`: what the gateway costs beside nginx on the same work (`run/compare.ts`). `--only` names some of the
 * workloads, or `protocols`, which is measured in this process alone.
 */
import { takeOption } from './command.ts'

export async function run(argv: readonly string[]): Promise<boolean> {
  const { value, rest } = takeOption(argv, 'only')
  if (value === 'protocols') return (await import('./run/protocols.ts')).measureProtocols(rest)
  return (await import('./run/compare.ts')).compare(argv)
}
