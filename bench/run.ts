/**
 * `npm run bench -- run`: what the gateway costs beside nginx on the same work (`run/compare.ts`). `--profile` shows where its
 * microseconds go, `--only` names some of the workloads, or one of the parts that are measured in this process alone.
 */
import type { Program } from '../tools/sub-commands.ts'
import { takeOption } from './command.ts'

/** The parts that need no gateway, by what `--only` calls them. */
const IN_PROCESS: ReadonlyMap<string | null, () => Promise<Program>> = new Map([
  ['hot-path', async () => (await import('./run/in-process/hot-path.ts')).measureHotPath],
  ['protocols', async () => (await import('./run/in-process/protocols.ts')).measureProtocols],
  ['settle', async () => (await import('./run/in-process/settle.ts')).measureSettlements],
])

export async function run(argv: readonly string[]): Promise<boolean> {
  if (argv.includes('--profile')) {
    const { profile } = await import('./run/profile/profile.ts')
    return profile(argv.filter((word) => word !== '--profile'))
  }
  const { value, rest } = takeOption(argv, 'only')
  const load = IN_PROCESS.get(value)
  if (load !== undefined) return (await load())(rest)
  const { compare } = await import('./run/compare.ts')
  return compare(argv)
}
