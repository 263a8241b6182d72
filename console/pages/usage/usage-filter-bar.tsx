import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { groupsQuery } from '../../api/groups.ts'
import { seeingNow } from '../../api/seeing.ts'
import { modelsQuery } from '../../api/models.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { FilterSelect } from '../../table/filter-select.tsx'
import { SearchField } from '../../table/search-field.tsx'
import { Button } from '../../ui/button.tsx'
import { ICON_BUTTON } from '../../ui/icon-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Select, type SelectOption } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useIsPhone } from '../../ui/use-media.ts'
import { ChartControls } from './chart-controls.tsx'
import { tableState } from './records-state.ts'
import { SpanFields } from './span-fields.tsx'
import { type FilterName, FILTERS } from './usage-search.ts'
import type { UsageView } from './use-usage-search.ts'

/** The choice of keys: its list is drawn by code that the page itself does not need. */
const KeyChoice = lazyPart(() => import('./key-choice.tsx'), <Skeleton className="h-14 rounded-md" />)

/**
 * One line for the page: its period and filters, how the chart is drawn (on a phone that stands above the chart), whether the
 * list follows what happens. The choices are fetched when they are opened. `keyName`: of the key that is filtered by, where the page happens to know it.
 */
export function UsageFilterBar(props: {
  readonly view: UsageView
  readonly keyName: string | undefined
  readonly csvLink: string
}): ReactNode {
  const t = useTexts('usage')
  const { view, keyName } = props
  const { filters, fault, request } = view.search
  const set = FILTERS.filter((name) => filters[name] !== undefined)
  const narrowsList = fault !== '' || request !== ''
  const [isOpen, setOpen] = useState(narrowsList)
  const isPhone = useIsPhone()
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SpanFields view={view} />
        <Button
          icon="filter"
          aria-expanded={isOpen}
          aria-controls="usage-filters"
          onClick={() => setOpen(!isOpen)}
          className="whitespace-nowrap max-sm:flex-1"
        >
          {t.filters.title}
        </Button>
        {!isPhone && <ChartControls view={view} />}
        <LiveButton view={view} />
        {/* A link goes as the admin who sees the account, not as its owner. */}
        {seeingNow() === null && (
          <a href={props.csvLink} download aria-label={t.csv} title={t.csvHint} className={ICON_BUTTON}>
            <Icon name="download" />
          </a>
        )}
      </div>
      {set.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          {set.map((name) => (
            <FilterChip key={name} view={view} name={name} shownAs={name === 'key' ? keyName : undefined} />
          ))}
          {set.length > 1 && (
            <Button look="quiet" onClick={() => view.change({ filters: {} })}>
              {t.filters.clear}
            </Button>
          )}
        </div>
      )}
      <div id="usage-filters" hidden={!isOpen}>
        {isOpen && <FilterChoices view={view} keyName={keyName} />}
      </div>
    </div>
  )
}

/** A filter that is set, to be taken away. */
function FilterChip(props: {
  readonly view: UsageView
  readonly name: FilterName
  readonly shownAs: string | undefined
}): ReactNode {
  const t = useTexts('usage')
  const { labelled } = useSharedTexts()
  const { view, name, shownAs } = props
  const value = view.search.filters[name] ?? ''
  const text = labelled(t.filters[name], shownAs ?? value)
  return (
    <span className="inline-flex min-h-8.5 max-w-full touch:min-h-11 items-center rounded-md bg-accent-soft pl-2.5 font-medium text-accent">
      <span className="min-w-0 truncate">{text}</span>
      <button
        type="button"
        aria-label={t.filters.remove(text)}
        onClick={() => view.change({ filters: { ...view.search.filters, [name]: undefined } })}
        className="ml-1 flex size-8.5 touch:size-11 shrink-0 items-center justify-center rounded-md hover:text-ink"
      >
        <Icon name="close" className="size-3.5" />
      </button>
    </span>
  )
}

function FilterChoices({
  view,
  keyName,
}: {
  readonly view: UsageView
  readonly keyName: string | undefined
}): ReactNode {
  const t = useTexts('usage')
  const faults = useTexts('faults')
  const groups = useQuery(groupsQuery)
  const models = useQuery(modelsQuery)
  const named = (list: readonly { readonly name: string }[] | undefined): SelectOption[] =>
    (list ?? []).map((each) => ({ value: each.name, label: each.name }))
  const state = tableState(view)
  return (
    <div className="card grid gap-3 p-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <KeyChoice view={view} keyName={keyName} />
        <FilterChoice view={view} name="group" options={named(groups.data?.data)} />
        <FilterChoice view={view} name="model" options={named(models.data)} />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3">
        <FilterSelect
          state={state}
          name="fault"
          label={t.filters.fault}
          options={[
            { value: 'any', label: t.filters.anyFault },
            ...Object.entries(faults).map(([value, { title }]) => ({ value, label: title })),
          ]}
        />
        <SearchField label={t.searchRequest} state={state} />
        <p className="text-sm text-ink-3">{t.narrowsList}</p>
      </div>
    </div>
  )
}

function FilterChoice(props: {
  readonly view: UsageView
  readonly name: FilterName
  readonly options: readonly SelectOption[]
}): ReactNode {
  const t = useTexts('usage')
  const shared = useSharedTexts()
  const { view, name, options } = props
  const value = view.search.filters[name] ?? ''
  // What is set by the address may be none of the choices: a key that is gone, or not here yet.
  const isKnown = value === '' || options.some((option) => option.value === value)
  return (
    <label className="grid gap-1 text-sm text-ink-3">
      {t.filters[name]}
      <Select
        className="text-base text-ink"
        value={value}
        onValue={(next) => view.change({ filters: { ...view.search.filters, [name]: next === '' ? undefined : next } })}
        options={[{ value: '', label: shared.table.all }, ...(isKnown ? [] : [{ value, label: value }]), ...options]}
      />
    </label>
  )
}

/** Whether the list follows what happens. */
function LiveButton({ view }: { readonly view: UsageView }): ReactNode {
  const t = useTexts('usage')
  const { isLive } = view.search
  return (
    <Button
      look={isLive ? 'primary' : 'secondary'}
      icon={isLive ? 'pause' : 'play'}
      title={t.liveHint}
      className="whitespace-nowrap max-sm:flex-1"
      onClick={() => view.change({ isLive: !isLive, ...(isLive ? {} : { cursor: null }) }, { isReplacing: true })}
    >
      {isLive ? t.pauseLive : t.live}
    </Button>
  )
}
