import type { FlatSearch } from '../../table/table-search.ts'
import { type UsageSearch, writeUsageSearch } from './usage-search.ts'

/** The address of the page that compares keys, or tags: of the same span, group and model as the usage that is looked at. */
export function keySpendSearch(
  { span, filters }: Pick<UsageSearch, 'span' | 'filters'>,
  tag: string | null = null,
): FlatSearch {
  const { key: _, ...narrowing } = filters
  return writeUsageSearch({
    span,
    filters: narrowing,
    fault: '',
    request: '',
    tag,
    cursor: null,
    split: 'model',
    measure: 'cost',
    by: null,
    isTable: false,
    isLive: false,
    record: null,
  })
}
