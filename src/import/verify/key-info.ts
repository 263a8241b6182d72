import { BROUGHT_RANGE, isBroughtKeyHash } from '../../access/brought-key.ts'
import { shownNames } from './compare.ts'
import { bearer, fieldIn, goodBody, type SourceAnswer } from './source-word.ts'

/** How a source is asked about a key of which the hash is known alone. */
export interface KeyInfo {
  /** `hash`: as it is stored here; undefined: it is not one of its hashes. */
  questionOf(hash: string): { readonly path: string; readonly headers: Readonly<Record<string, string>> } | undefined
  /** What is different of it; null: the answer does not say. `here`: the models that it may call here. */
  differences(answer: SourceAnswer, here: ReadonlySet<string>): readonly string[] | null
}

const ALL = ['all-proxy-models', 'all-team-models']

/** LiteLLM takes the SHA-256 of a key in place of the key. `listed`: the models that it says it has. */
export function litellmKeyInfo(masterKey: string, listed: ReadonlySet<string>): KeyInfo {
  return {
    questionOf(hash) {
      if (!isBroughtKeyHash(hash)) return undefined
      return { path: `/key/info?key=${hash.slice(BROUGHT_RANGE.from.length)}`, headers: bearer(masterKey) }
    },
    differences(answer, here) {
      if (answer.kind === 'answered' && answer.status === 404) return ['not there any more, and works here']
      const info = fieldIn(goodBody(answer), 'info')
      const models = fieldIn(info, 'models')
      if (!Array.isArray(models)) return null
      const names = models.map(String)
      return [
        ...(fieldIn(info, 'blocked') === true ? ['blocked there, and works here'] : []),
        ...differingModels(names, { here, listed, hasTeam: fieldIn(info, 'team_id') != null }),
      ]
    },
  }
}

/** Names of sets of models and patterns are not written out there, and a team may allow less than its keys. */
function differingModels(
  names: readonly string[],
  {
    here,
    listed,
    hasTeam,
  }: { readonly here: ReadonlySet<string>; readonly listed: ReadonlySet<string>; readonly hasTeam: boolean },
): readonly string[] {
  if (names.length === 0 || names.some((name) => ALL.includes(name) || name.includes('*'))) return []
  const lacking = hasTeam ? [] : names.filter((name) => listed.has(name) && !here.has(name))
  const added = names.every((name) => listed.has(name)) ? [...here].filter((name) => !names.includes(name)) : []
  return [
    ...(lacking.length === 0 ? [] : [`there and not here: ${shownNames(lacking.toSorted())}`]),
    ...(added.length === 0 ? [] : [`here and not there: ${shownNames(added.toSorted())}`]),
  ]
}
