/** So many are under way at once: an answer waits for none that was asked much later. */
const AT_ONCE = 4

export interface Outcome<Item> {
  readonly item: Item
  /** null: it was done. */
  readonly error: unknown
}

/** Does a step for each of many, a few at a time, in their order; one that fails stops no other. */
export async function eachOf<Item>(
  items: readonly Item[],
  step: (item: Item) => Promise<unknown>,
  onOutcome: (outcome: Outcome<Item>) => void = () => {},
): Promise<readonly Outcome<Item>[]> {
  const outcomes: Outcome<Item>[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const part = items.slice(at, at + AT_ONCE)
    const done = await Promise.all(
      part.map(async (item): Promise<Outcome<Item>> => {
        try {
          await step(item)
          return { item, error: null }
        } catch (error) {
          return { item, error }
        }
      }),
    )
    outcomes.push(...done)
    done.forEach(onOutcome)
  }
  return outcomes
}
