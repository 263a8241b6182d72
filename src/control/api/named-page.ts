import { type ListCall, onePage } from './paging.ts'

/** A part of a list of objects that have names, sorted by name; those that hold `search`, in any case. */
export function namedPage<Named extends { readonly name: string }>(
  all: readonly Named[],
  call: ListCall & { readonly query: { readonly search?: string | undefined } },
): { readonly rows: readonly Named[]; readonly next_cursor: string | null } {
  const search = call.query.search?.toLowerCase() ?? ''
  const after = call.position?.[0] ?? null
  const rows = all
    .filter(({ name }) => name.toLowerCase().includes(search) && (after === null || name > after))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return onePage(rows, call, ({ name }) => [name])
}
