/** What most people come with; offered before all others. */
const USUAL = ['claude-code', 'codex', 'opencode', 'cherry-studio', 'cursor', 'curl']

/**
 * The clients that are offered while the rest is folded away: the one used last, then the usual ones, six in all, and the
 * chosen one wherever it stands. `last`: its id; null: none yet.
 */
export function fewClients<Client extends { readonly id: string }>(
  clients: readonly Client[],
  { last, chosen }: { readonly last: string | null; readonly chosen: string | undefined },
): readonly Client[] {
  const usual = [...new Set([...(last === null ? [] : [last]), ...USUAL])].slice(0, USUAL.length)
  const ids = chosen === undefined || usual.includes(chosen) ? usual : [...usual, chosen]
  return ids.flatMap((id) => clients.filter((client) => client.id === id))
}

/** Clients whose name contains what was typed. */
export function clientsNamed<Client extends { readonly name: string }>(
  clients: readonly Client[],
  typed: string,
): readonly Client[] {
  const wanted = typed.trim().toLowerCase()
  return clients.filter(({ name }) => name.toLowerCase().includes(wanted))
}
