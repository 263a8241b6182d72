/** Models that upstreams list since a short while, or no more, by the daily look at their lists. */
import type { Upstream } from '../../routing/catalog.ts'
import type { ModelListStanding } from '../../routing/listed-models.ts'
import type { RawItem } from './attention-item.ts'

const MOST_NAMES = 20

/** Items for models that are gone come first: requests for them fail. `lists`: by the ids of upstreams. */
export function modelListItems(
  upstreams: readonly Pick<Upstream, 'id' | 'name'>[],
  lists: ReadonlyMap<string, Pick<ModelListStanding, 'added' | 'gone'>>,
): readonly RawItem[] {
  const items = (kind: 'models_gone' | 'models_added', of: 'gone' | 'added', detailOf: (about: ListChange) => string) =>
    upstreams.flatMap(({ id, name }): RawItem[] => {
      const names = lists.get(id)?.[of] ?? []
      if (names.length === 0) return []
      const listed = { count: names.length, names: names.slice(0, MOST_NAMES) }
      const detail = detailOf({ count: names.length, upstream: name, names: writtenNames(names) })
      return [{ kind, upstream: { id, name }, listed, detail }]
    })
  return [
    ...items(
      'models_gone',
      'gone',
      ({ count, upstream, names }) =>
        `The upstream "${upstream}" no longer lists ${count === 1 ? 'a model' : `${count} models`} served from it: ${names}. Test ${count === 1 ? 'it, or remove its target' : 'them, or remove their targets'}.`,
    ),
    ...items(
      'models_added',
      'added',
      ({ count, upstream, names }) =>
        `The upstream "${upstream}" lists ${count} new ${count === 1 ? 'model' : 'models'}: ${names}. Add or ignore ${count === 1 ? 'it' : 'them'}.`,
    ),
  ]
}

function writtenNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMES
  return names.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

interface ListChange {
  readonly count: number
  readonly upstream: string
  readonly names: string
}
