import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import {
  flatSearch,
  readTableSearch,
  writeTableSearch,
  type FlatSearch,
  type Sort,
  type TableSearch,
  type TableShape,
} from './table-search.ts'

export interface TableState extends TableSearch {
  /** What the API's list is asked for: search, filters, sort, order, cursor. */
  readonly query: Readonly<Record<string, string>>
  readonly isFiltered: boolean
  /** null: not known, after a reload in the middle. */
  readonly pageNumber: number | null
  setSearch(search: string): void
  /** undefined or empty: no such filter. */
  setFilter(name: string, value: string | undefined): void
  setSort(sort: Sort): void
  clear(): void
  goNext(nextCursor: string): void
  goPrevious(): void
}

/**
 * The state of a table that the server sorts, filters and pages, kept in the address: it survives a reload, can be sent to
 * others, and the browser's back button undoes a change. The route needs `validateSearch: flatSearch`.
 */
export function useTableState(shape: TableShape): TableState {
  const flat: FlatSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const table = readTableSearch(flat, shape)
  /** The cursors of the pages before this one, as they were walked. */
  const trail = useRef<(string | null)[]>([])
  const go = (change: Partial<TableSearch>, replace = false): void => {
    // By the address of that moment: a drawer may have come into it since this was drawn.
    const search = (raw: Record<string, unknown>): FlatSearch => {
      const now = flatSearch(raw)
      return writeTableSearch({ ...readTableSearch(now, shape), ...change }, shape, now)
    }
    // Which route this is, is the page's affair: the path stays.
    void navigate({ to: '.', search, replace, resetScroll: false })
  }
  const narrow = (change: Partial<TableSearch>, replace = false): void => {
    trail.current = []
    go({ ...change, cursor: null }, replace)
  }
  return {
    ...table,
    query: {
      ...table.filters,
      ...(table.search === '' ? {} : { search: table.search }),
      ...(table.cursor === null ? {} : { cursor: table.cursor }),
      sort: table.sort.by,
      order: table.sort.order,
    },
    isFiltered: table.search !== '' || Object.keys(table.filters).length > 0,
    pageNumber: table.cursor === null ? 1 : trail.current.length === 0 ? null : trail.current.length + 1,
    setSearch: (search) => narrow({ search }, true),
    setFilter: (name, value) => {
      const { [name]: _dropped, ...others } = table.filters
      narrow({ filters: value === undefined || value === '' ? others : { ...others, [name]: value } })
    },
    setSort: (sort) => narrow({ sort }),
    clear: () => narrow({ search: '', filters: {} }),
    goNext: (nextCursor) => {
      trail.current = [...trail.current, table.cursor]
      go({ cursor: nextCursor })
    },
    goPrevious: () => {
      const previous = trail.current.at(-1) ?? null
      trail.current = trail.current.slice(0, -1)
      go({ cursor: previous })
    },
  }
}
