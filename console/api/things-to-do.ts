import type { AttentionItemView } from '../../src/contract/attention.ts'

/** `ids` and `groups`: of all items that are this one thing. */
export type ThingToDo<Item extends AttentionItemView = AttentionItemView> = Item & {
  readonly ids: readonly string[]
  readonly groups: readonly string[]
}

/** Items about a model: each is repeated in every group that has it, and is settled once. */
const OF_MODELS: ReadonlySet<AttentionItemView['kind']> = new Set(['no_target', 'no_margin', 'no_credential'])

/** What needs an admin, as lines of a list: a model that several groups have and that none can call is one thing to do. */
export function thingsToDo<Item extends AttentionItemView>(items: readonly Item[]): readonly ThingToDo<Item>[] {
  const byModel = Map.groupBy(items, ({ kind, model }, index) => (OF_MODELS.has(kind) ? `${kind} ${model}` : index))
  return [...byModel.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return []
    const all = [first, ...others]
    return {
      ...first,
      ids: all.map(({ id }) => id),
      groups: all.flatMap(({ group }) => (group === null ? [] : [group])),
      requests: first.requests === null ? null : all.reduce((sum, { requests }) => sum + (requests ?? 0), 0),
    }
  })
}
