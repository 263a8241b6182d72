import type { AttentionItemView } from '../../src/contract/attention.ts'

/** `ids`, `groups` and `requests`: of all items that are this one thing. */
export type ThingToDo<Item extends AttentionItemView = AttentionItemView> = Item & {
  readonly ids: readonly string[]
  readonly groups: readonly string[]
  /** The things that it stands for, where it stands for many of one kind; empty: it is one. */
  readonly parts: readonly ThingToDo<Item>[]
}

/** Items about a model: each is repeated in every group that has it, and is settled once. */
const OF_MODELS: ReadonlySet<AttentionItemView['kind']> = new Set(['no_target', 'no_margin', 'no_credential'])

export const MANY_KINDS = [
  'no_target',
  'no_margin',
  'no_credential',
  'unpriced',
  'below_cost',
  'price_differs',
  'no_weight',
  'unreached',
  'model_unknown',
  'no_balance',
] as const satisfies readonly AttentionItemView['kind'][]

/** More of one kind are one line, which unfolds. */
const FEW = 3

/**
 * What needs an admin, as lines of a list: a model that several groups have and that none can call is one thing to do, and
 * many things of one kind with one remedy are one line.
 */
export function thingsToDo<Item extends AttentionItemView>(items: readonly Item[]): readonly ThingToDo<Item>[] {
  const byModel = Map.groupBy(items, ({ kind, model }, index) => (OF_MODELS.has(kind) ? `${kind} ${model}` : index))
  const things = [...byModel.values()].flatMap((same) => together(same, []) ?? [])
  const byKind = Map.groupBy(things, manyKeyOf)
  return things.flatMap((thing) => {
    const same = byKind.get(manyKeyOf(thing)) ?? [thing]
    if (same.length <= FEW || !MANY_KINDS.some((kind) => kind === thing.kind)) return thing
    return same[0] === thing ? (together(same, same) ?? []) : []
  })
}

function manyKeyOf({ kind, severity, upstream }: AttentionItemView): string {
  return JSON.stringify([kind, severity, kind === 'no_credential' ? upstream?.id : null])
}

/** null: there is none. */
function together<Item extends AttentionItemView>(
  items: readonly (Item | ThingToDo<Item>)[],
  parts: readonly ThingToDo<Item>[],
): ThingToDo<Item> | null {
  const [first] = items
  if (first === undefined) return null
  return {
    ...first,
    ids: items.flatMap((item) => ('ids' in item ? item.ids : [item.id])),
    groups: [...new Set(items.flatMap(groupsOf))],
    requests: first.requests === null ? null : items.reduce((sum, { requests }) => sum + (requests ?? 0), 0),
    since: parts.length === 0 ? first.since : earliest(items),
    parts,
  }
}

function groupsOf(item: AttentionItemView | ThingToDo): readonly string[] {
  if ('groups' in item) return item.groups
  return item.group === null ? [] : [item.group]
}

function earliest(items: readonly AttentionItemView[]): string | null {
  return items.flatMap(({ since }) => since ?? []).toSorted()[0] ?? null
}
