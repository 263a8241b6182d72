import type { ImportNotes } from '../import-notes.ts'
import type { Fallbacks } from './read-config.ts'
import type { ServedDeployment } from './upstreams.ts'

/**
 * Models with those that LiteLLM asks where they fail, as targets behind their own. Such an answer is charged at the price of the
 * model that was asked for here, and at its own there, so that it is done only where it is wanted.
 */
export function withFallbacks(
  served: readonly ServedDeployment[],
  { of, standard, hasOthers }: Fallbacks,
  { isWanted, notes }: { readonly isWanted: boolean; readonly notes: ImportNotes },
): readonly ServedDeployment[] {
  const byName = Map.groupBy(served, ({ name }) => name)
  if (hasOthers)
    notes.note('router_settings', null, 'has fallbacks for prompts that are too long or refused, which are not carried')
  const names = [...byName.keys()].filter((name) => (of.get(name) ?? standard).length > 0)
  if (names.length === 0 && of.size === 0) return served
  if (!isWanted) {
    notes.note(
      'router_settings',
      null,
      'has fallbacks to other models: --fallbacks makes them targets behind the model’s own, at the price of the model that was asked for',
    )
    return served
  }
  return [...byName].flatMap(([name, own]) => [
    ...own,
    ...behind({ name, own }, of.get(name) ?? standard, { byName, notes }),
  ])
}

function behind(
  { name, own }: { readonly name: string; readonly own: readonly ServedDeployment[] },
  fallbacks: readonly string[],
  { byName, notes }: { readonly byName: ReadonlyMap<string, readonly ServedDeployment[]>; readonly notes: ImportNotes },
): readonly ServedDeployment[] {
  const placeOf = ({ target }: ServedDeployment) => JSON.stringify([target.upstream, target.model])
  const taken = new Set(own.map(placeOf))
  const added: ServedDeployment[] = []
  for (const fallback of fallbacks) {
    const others = byName.get(fallback) ?? []
    if (others.length === 0) notes.note('router_settings', name, `fall back to ${fallback}, which is not served here`)
    const after = Math.max(...[...own, ...added].map(({ target }) => target.priority)) + 1
    const fresh = others.filter((each) => !taken.has(placeOf(each)))
    for (const each of fresh) {
      taken.add(placeOf(each))
      added.push({ ...each, name, target: { ...each.target, priority: after + each.target.priority } })
    }
  }
  return added
}
