import type { TableState } from '../../table/use-table-state.ts'
import type { UsageView } from './use-usage-search.ts'

/** What the table asks for, in the words of the page's address. */
export function tableState(view: UsageView): TableState {
  const { search } = view
  const filters = search.fault === '' ? {} : { fault: search.fault }
  return {
    search: search.request,
    filters,
    sort: { by: '', order: 'desc' },
    cursor: search.cursor,
    query: {},
    isFiltered: search.fault !== '' || search.request !== '',
    pageNumber: view.pageNumber,
    setSearch: (request) => view.change({ request: request.trim() }, { isReplacing: true }),
    setFilter: (_name, value) => view.change({ fault: value ?? '' }),
    setSort: () => {},
    clear: () => view.change({ fault: '', request: '' }),
    goNext: view.goNext,
    goPrevious: view.goPrevious,
  }
}
