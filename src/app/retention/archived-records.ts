import type { OnProofProgress } from '../../metering/funds/ledger.ts'
import type { Archive, ArchivedRecords } from '../../metering/usage/retention.ts'
import { damageOf, readArchive } from './archive-file.ts'

/** An archive that cannot prove anything, and why. */
export interface UnusableArchive {
  readonly name: string
  readonly damage: 'missing' | 'changed'
}

/** The usage records of these archives, for the proof of the books; with those that are not what was written. */
export async function archivedRecords(
  directory: string,
  archives: readonly Archive[],
  onProgress: OnProofProgress = () => {},
): Promise<{ readonly records: ArchivedRecords; readonly unusable: readonly UnusableArchive[] }> {
  const ofUsage = archives.filter(({ kind }) => kind !== 'audit')
  const unusable: UnusableArchive[] = []
  for (const [at, archive] of ofUsage.entries()) {
    onProgress('archives', at, ofUsage.length)
    const damage = await damageOf(directory, archive)
    if (damage !== null) unusable.push({ name: archive.name, damage })
  }
  const count = ofUsage.reduce((sum, { records }) => sum + records, 0)
  return { records: { count, lines: () => linesOf(directory, ofUsage) }, unusable }
}

async function* linesOf(directory: string, archives: readonly Archive[]): AsyncGenerator<readonly string[]> {
  for (const { name } of archives) yield* readArchive(directory, name)
}
