/** Names for credentials that join a pool: the first of an empty one is `default`, and no name is there twice. */
export function newNames(pool: readonly { readonly name: string }[], count: number): readonly string[] {
  const taken = new Set(pool.map(({ name }) => name))
  const names: string[] = []
  for (let number = pool.length + 1; names.length < count; number += 1) {
    const name = number === 1 ? 'default' : `credential ${number}`
    if (!taken.has(name)) names.push(name)
  }
  return names
}
