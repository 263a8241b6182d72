import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { exploreQuery } from '../../../api/explore.ts'
import { modelsQuery } from '../../../api/models.ts'
import { useStaffSearch } from '../../../api/staff-search.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { SelectChip } from '../../../table/select-chip.tsx'
import { TableMenu } from '../../../table/table-menu.tsx'
import { useShownColumns } from '../../../table/use-shown-columns.ts'
import { Button } from '../../../ui/button.tsx'
import type { ComboboxOption } from '../../../ui/combobox.tsx'
import { DownloadMenu } from '../../../ui/download-menu.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { SearchCombobox } from '../../../ui/search-combobox.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useNow } from '../../../ui/use-now.ts'
import {
  type Dimension,
  DIMENSIONS,
  type ExploreSearch,
  narrowed,
  queryOf,
  readExploreSearch,
  SPANS,
  writeExploreSearch,
} from './explore-search.ts'
import { ExploreTable, useFigureColumns } from './explore-table.tsx'
import { LatestRequests } from './latest-requests.tsx'

const SavedViewsDialog = lazyPart(() => import('./saved-views-dialog.tsx'))
const RecordDrawer = lazyPart(() => import('../../usage/record-drawer.tsx'))

/** Requests of all accounts: sums by any two of their properties, and the newest as they end. */
export default function RequestsPage(): ReactNode {
  const t = useTexts('requests')
  const nowMs = useNow()
  const navigate = useNavigate()
  const search = readExploreSearch(useSearch({ strict: false }))
  const query = queryOf(search, nowMs)
  const [opened, setOpened] = useState<string | null>(null)
  const [areViewsOpen, setViewsOpen] = useState(false)
  const sums = useQuery({ ...exploreQuery(query), enabled: search.said === null })
  const columns = useShownColumns('explore', useFigureColumns(sums.data?.sums))
  const show = (next: ExploreSearch): void =>
    void navigate({ to: '.', search: writeExploreSearch(next), resetScroll: false })
  const { by, and, days, filters } = search
  const isFree = (each: Dimension): boolean => filters[each] === undefined
  const option = (value: Dimension) => ({ value, label: t.dimensions[value] })
  return (
    <>
      <PageHeader
        title={t.title}
        lead={t.lead}
        actions={
          <>
            <Button icon="filter" onPointerEnter={SavedViewsDialog.load} onClick={() => setViewsOpen(true)}>
              {t.views.action}
            </Button>
            <DownloadMenu path="/api/usage/explore" query={{ ...query }} />
          </>
        }
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="flex flex-wrap items-center gap-2">
          <SelectChip<Dimension>
            label={t.by}
            options={DIMENSIONS.filter(isFree).map(option)}
            value={by}
            onValue={(next) => show({ ...search, by: next, and: and === next ? null : and })}
          />
          <SelectChip<Dimension | ''>
            label={t.and}
            onClear={() => show({ ...search, and: null })}
            options={[
              { value: '', label: t.alone },
              ...DIMENSIONS.filter((each) => each !== by && isFree(each)).map(option),
            ]}
            value={and ?? ''}
            onValue={(next) => show({ ...search, and: next === '' ? null : next })}
          />
          <SelectChip
            label={t.span}
            options={SPANS.map((value) => ({ value, label: t.spans[value] }))}
            value={days}
            onValue={(next) => show({ ...search, days: next })}
          />
          <div className="min-w-0 flex-1 basis-72 lg:max-w-md">
            <FindRequests
              onNarrow={(dimension, value) => show(narrowed(search, dimension, value))}
              onOpen={(id) => setOpened(id)}
              onSaid={(said) => show({ ...search, said })}
            />
          </div>
          {search.said === null && (
            <div className="ml-auto">
              <TableMenu columns={columns} />
            </div>
          )}
        </div>
        <Filters search={search} onShow={show} />
        {search.said === null ? (
          <QueryView query={sums} skeleton={<Skeleton className="h-60 rounded-lg" />}>
            {(data) => (
              // Together: what stood below the sums would be moved when they come.
              <>
                <ExploreTable
                  by={data.by}
                  sums={data.sums}
                  columns={columns.shown}
                  isDeep={search.isDeep}
                  onDeepen={() => show({ ...search, isDeep: true })}
                  onNarrow={(dimension, value) => show(narrowed(search, dimension, value))}
                />
                <LatestRequests search={search} />
              </>
            )}
          </QueryView>
        ) : (
          <>
            <p className="card p-4 text-ink-2">{t.noSums}</p>
            <LatestRequests search={search} />
          </>
        )}
      </div>
      {areViewsOpen && <SavedViewsDialog search={search} onShow={show} onClose={() => setViewsOpen(false)} />}
      {opened !== null && <RecordDrawer id={opened} known={undefined} onClose={() => setOpened(null)} />}
    </>
  )
}

function Filters(props: { readonly search: ExploreSearch; onShow(next: ExploreSearch): void }): ReactNode {
  const t = useTexts('requests')
  const shared = useSharedTexts()
  const { search, onShow } = props
  const set = DIMENSIONS.flatMap((each) => {
    const value = search.filters[each]
    return value === undefined ? [] : [{ each, value }]
  })
  const { said } = search
  if (set.length === 0 && said === null) return null
  return (
    <p className="flex flex-wrap items-center gap-2">
      <span className="text-sm text-ink-3">{t.filtered}</span>
      {set.map(({ each, value }) => {
        const { [each]: _removed, ...filters } = search.filters
        return (
          <FilterChip
            key={each}
            text={shared.labelled(t.dimensions[each], value)}
            onRemove={() => onShow({ ...search, filters })}
          />
        )
      })}
      {said !== null && (
        <FilterChip text={shared.labelled(t.saidFilter, said)} onRemove={() => onShow({ ...search, said: null })} />
      )}
    </p>
  )
}

function FilterChip(props: { readonly text: string; onRemove(): void }): ReactNode {
  const t = useTexts('requests')
  return (
    <button
      type="button"
      aria-label={t.removeFilter(props.text)}
      onClick={props.onRemove}
      className="inline-flex min-h-7 touch:min-h-11 max-w-full items-center gap-1.5 rounded-md bg-accent-soft px-2 text-sm text-accent"
    >
      <span className="min-w-0 truncate">{props.text}</span>
      <Icon name="close" className="size-3" />
    </button>
  )
}

const MOST = 6
/** The fewest characters that the server searches for. */
const FEWEST_SAID = 3
const REQUEST_ID = /^req_\w{10,40}$/

/**
 * One field for whatever is known of a request: its ID opens it; an account, a key by its last four characters, a group, a
 * model, an upstream, or a word of an error narrows the view, what a provider said or called it the list of requests.
 */
function FindRequests(props: {
  onNarrow(dimension: Dimension, value: string): void
  onOpen(requestId: string): void
  onSaid(words: string): void
}): ReactNode {
  const t = useTexts('requests')
  const shared = useSharedTexts()
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState(0)
  const { found, isSearching } = useStaffSearch(words)
  const models = useQuery({ ...modelsQuery, enabled: words !== '' }).data ?? []
  const faults = useFaultsOf(words)
  const option = (dimension: Dimension, value: string, label: string): ComboboxOption => ({
    value: `${dimension} ${value}`,
    label: `${t.dimensions[dimension]} · ${label}`,
  })
  const options = [
    ...(REQUEST_ID.test(words) ? [{ value: `request ${words}`, label: t.find.request(words) }] : []),
    ...found.flatMap(({ kind, id, name, detail }) =>
      kind === 'plan' ? [] : [option(kind, kind === 'upstream' ? name : id, `${name} ${detail}`.trim())],
    ),
    ...models
      .filter(({ name }) => words !== '' && name.toLowerCase().includes(words.toLowerCase()))
      .slice(0, MOST)
      .map(({ name }) => option('model', name, name)),
    ...faults.map(({ code, title }) => option('fault', code, shared.inBrackets(title, code))),
    ...(words.length >= FEWEST_SAID ? [{ value: `said ${words}`, label: t.find.said(words) }] : []),
  ]
  return (
    <SearchCombobox
      // Empty again once something was chosen.
      key={chosen}
      aria-label={t.find.label}
      placeholder={t.find.placeholder}
      found={options}
      isSearching={isSearching}
      chosen={null}
      onSearch={(text) => setWords(text.trim())}
      onValue={(taken) => {
        if (taken === null) return
        const [kind = '', ...rest] = taken.value.split(' ')
        setWords('')
        setChosen((before) => before + 1)
        if (kind === 'request') props.onOpen(rest.join(' '))
        else if (kind === 'said') props.onSaid(rest.join(' '))
        else props.onNarrow(kind as Dimension, rest.join(' '))
      }}
    />
  )
}

/** Errors whose code or text has these words. */
function useFaultsOf(words: string): readonly { readonly code: string; readonly title: string }[] {
  const faults = useTexts('faults')
  const wanted = words.toLowerCase()
  if (wanted === '') return []
  return Object.entries(faults)
    .filter(([code, { title, cause }]) => `${code} ${title} ${cause}`.toLowerCase().includes(wanted))
    .slice(0, MOST)
    .map(([code, { title }]) => ({ code, title }))
}
