import type { ImportNotes } from '../import-plan.ts'
import { type Row, type SourceReader, textIn } from '../source.ts'
import { isPattern } from './model-names.ts'
import { platformOf } from './platforms.ts'

const COLUMNS = ['requested_model', 'model', 'upstream_model', 'account_id']

/** Models that were asked for lately, by platform: accounts without a map of models serve whatever their platform has. */
export type UsedModels = ReadonlyMap<string, readonly string[]>

export async function readUsedModels(
  source: SourceReader,
  { accounts, notes }: { readonly accounts: readonly Row[]; readonly notes: ImportNotes },
): Promise<UsedModels> {
  const platforms = new Map(accounts.map((row) => [textIn(row, 'id'), textIn(row, 'platform')]))
  const used = new Map<string, Set<string>>()
  for (const row of await source.latest('usage_logs', COLUMNS)) {
    const platform = platforms.get(textIn(row, 'account_id'))
    const name = textIn(row, 'requested_model') || textIn(row, 'model')
    if (platform === undefined || name === '' || isPattern(name)) continue
    const upstream = textIn(row, 'upstream_model')
    if (platformOf(platform).answersOthers?.test(name) === true && upstream !== '' && upstream !== name) {
      notes.note('models', name, 'were answered by another model by a rule of their group, which is not carried')
      continue
    }
    used.set(platform, (used.get(platform) ?? new Set()).add(name))
  }
  return new Map([...used].map(([platform, names]) => [platform, [...names].sort()]))
}
