export interface Sort {
  /** The field, as the API calls it. */
  readonly by: string
  readonly order: 'asc' | 'desc'
}

/** What a table shows, as it stands in the page's address. */
export interface TableSearch {
  /** Empty: everything. */
  readonly search: string
  /** Only the filters that are set. */
  readonly filters: Readonly<Record<string, string>>
  readonly sort: Sort
  /** null: the first page. */
  readonly cursor: string | null
}

export interface TableShape {
  /** The names of the filters, as the API calls them. */
  readonly filters: readonly string[]
  /** How it is sorted when the address says nothing. */
  readonly sort: Sort
}

/** The address's search part, flat: what a route of a page with a table takes as it comes. */
export type FlatSearch = Readonly<Record<string, string>>

/** Every value as text; what is neither text, number nor boolean is not ours. For a route's `validateSearch`. */
export function flatSearch(raw: Record<string, unknown>): FlatSearch {
  const known = Object.entries(raw).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]))
}

/** Reads the address. What is not of this table is left alone. */
export function readTableSearch(flat: FlatSearch, shape: TableShape): TableSearch {
  const filters = shape.filters.flatMap((name) => {
    const value = flat[name]
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
  return {
    search: flat['q'] ?? '',
    filters: Object.fromEntries(filters),
    sort: readSort(flat['sort']) ?? shape.sort,
    cursor: flat['cursor'] ?? null,
  }
}

/** The address for it, without what goes without saying. `before`: the address so far, of which the rest is kept. */
export function writeTableSearch(table: TableSearch, shape: TableShape, before: FlatSearch): FlatSearch {
  const own = new Set(['q', 'sort', 'cursor', ...shape.filters])
  const isUsualSort = table.sort.by === shape.sort.by && table.sort.order === shape.sort.order
  return {
    ...Object.fromEntries(Object.entries(before).filter(([name]) => !own.has(name))),
    ...(table.search === '' ? {} : { q: table.search }),
    ...Object.fromEntries(Object.entries(table.filters).filter(([, value]) => value !== '')),
    ...(isUsualSort ? {} : { sort: `${table.sort.order === 'desc' ? '-' : ''}${table.sort.by}` }),
    ...(table.cursor === null ? {} : { cursor: table.cursor }),
  }
}

/** How a press on a header sorts: first the way that its column begins with, then the other. */
export function nextSort(field: string, first: Sort['order'], now: Sort): Sort {
  if (now.by !== field) return { by: field, order: first }
  return { by: field, order: now.order === 'asc' ? 'desc' : 'asc' }
}

function readSort(text: string | undefined): Sort | undefined {
  const match = /^(-?)([a-z_]+)$/.exec(text ?? '')
  if (match === null) return undefined
  return { by: match[2] ?? '', order: match[1] === '-' ? 'desc' : 'asc' }
}
