/** What something is found by. */
export interface Findable {
  /** What it is called, in each language; the reader's own first. */
  readonly names: readonly string[]
  /** Other words for it, each list with spaces or 、 between them. */
  readonly words: readonly string[]
}

/** How well it fits what is typed, 0 best; null: not at all. Every word that is typed has to be found. */
export function rankOf(typed: string, { names, words }: Findable): number | null {
  const wholes = names.map(plain)
  const parts = wholes.flatMap((name) => name.split(' '))
  const others = words.flatMap((list) => plain(list).split(' '))
  let rank = 0
  for (const word of plain(typed).split(' ')) {
    if (word === '') continue
    const one = rankOfWord(word, { wholes, parts, others })
    if (one === null) return null
    rank += one
  }
  return rank
}

function rankOfWord(
  word: string,
  { wholes, parts, others }: Readonly<Record<'wholes' | 'parts' | 'others', readonly string[]>>,
): number | null {
  if (wholes.some((name) => name.startsWith(word))) return 0
  if (parts.some((part) => part.startsWith(word))) return 1
  if (others.some((other) => other.startsWith(word))) return 2
  if (wholes.some((name) => name.includes(word))) return 3
  // Chinese words have no spaces between them.
  return /\p{Script=Han}/u.test(word) && others.some((other) => other.includes(word)) ? 3 : null
}

/** The items that fit, the best first; equals in the order given. */
export function bestFirst<Item extends Findable>(typed: string, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, rank: rankOf(typed, item) }))
    .filter((each): each is { item: Item; rank: number } => each.rank !== null)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s:：、]+/g, ' ')
    .trim()
}
