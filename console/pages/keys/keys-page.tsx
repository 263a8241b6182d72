import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { groupsQuery } from '../../api/groups.ts'
import { instanceQuery } from '../../api/instance.ts'
import { keyActivityQuery } from '../../api/key-report.ts'
import { keysQuery, keyTagsQuery } from '../../api/keys.ts'
import { useNeedsCredit } from '../../api/use-needs-credit.ts'
import { loadTexts, useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { longestPlaces, usualRoom } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { DataTable } from '../../table/data-table.tsx'
import { FilterSelect } from '../../table/filter-select.tsx'
import { useTableState } from '../../table/use-table-state.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useNewAction } from '../../ui/new-action.ts'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { useFirstInput } from '../../ui/use-first-input.ts'
import type { KeyActivities } from './key-cells.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { useKeyColumns } from './key-columns.tsx'
import type { KeyStep } from './key-step.ts'
import { KeyTabs } from './key-tabs.tsx'
import { useKeyStep } from './use-key-step.ts'
import { siteAddress } from '../../site.ts'

const KeyStepDialog = lazyPart(() => import('./key-step-dialog.tsx'))

const SHAPE = { filters: ['status', 'group', 'tag'], sort: { by: 'created_at', order: 'desc' } } as const
const STATUSES: readonly ApiKeyView['status'][] = ['active', 'disabled', 'expired', 'quota_exhausted']

/** The own API keys: how to reach the gateway with them, and everything that is done with one. */
export default function KeysPage(): ReactNode {
  const t = useTexts('keys')
  const shared = useSharedTexts()
  const { step, missing, open, close } = useKeyStep()
  useNewAction(() => open({ kind: 'create' }))
  useFirstInput(() => {
    KeyStepDialog.load()
    void loadTexts('setup')
    void loadTexts('faults')
  })
  const create = (
    <Button look="primary" icon="plus" onClick={() => open({ kind: 'create' })}>
      {t.create}
    </Button>
  )
  return (
    <>
      <KeyTabs here="keys" />
      <PageHeader title={shared.pages.keys} lead={t.lead} actions={create} />
      <NoCredit />
      <BaseUrls />
      <KeyTable onStep={open} />
      {step !== null && <KeyStepDialog step={step} onClose={close} />}
      {missing !== null && (
        <Drawer isOpen onClose={close} title={shared.pages.keys}>
          {missing.error === null ? <EmptyState icon="key" title={t.notFound} /> : <ErrorState error={missing.error} />}
        </Drawer>
      )}
    </>
  )
}

const NO_KEYS: readonly ApiKeyView[] = []

/** Asked for once for all keys of the page, behind the page itself. */
function useActivities(keys: readonly ApiKeyView[]): KeyActivities {
  const { data } = useQuery(keyActivityQuery(keys.map(({ id }) => id)))
  return useMemo(() => data && new Map(data.data.map(({ id, days }) => [id, days])), [data])
}

function KeyTable({ onStep }: { onStep(step: KeyStep): void }): ReactNode {
  const t = useTexts('keys')
  const table = useTableState(SHAPE)
  const page = useQuery(keysQuery(table.query))
  const format = useFormat()
  const keys = page.data?.data ?? NO_KEYS
  const amounts = keys.map(({ spent }) => spent)
  const places = longestPlaces(amounts)
  const room = usualRoom(amounts.map(format.money), places)
  const columns = useKeyColumns(onStep, useActivities(keys), { places, room })
  const groups = useQuery(groupsQuery).data?.data ?? []
  const tags = useQuery(keyTagsQuery).data?.data
  return (
    <DataTable
      name="keys"
      label={t.list}
      columns={columns}
      state={table}
      page={page}
      rowId={(key) => key.id}
      rowName={(key) => key.name}
      download={{ path: '/api/keys', query: { ...table.query, cursor: undefined } }}
      searchLabel={t.search}
      filters={
        <>
          <FilterSelect
            state={table}
            name="status"
            label={t.columns.status}
            options={STATUSES.map((status) => ({ value: status, label: t.statuses[status] }))}
          />
          <FilterSelect
            state={table}
            name="group"
            label={t.columns.group}
            options={groups.map(({ name }) => ({ value: name, label: name }))}
          />
          {/* Always there: what came with the tags would move the list. */}
          <FilterSelect
            state={table}
            name="tag"
            label={t.tag}
            options={
              tags?.length === 0
                ? [{ value: '-', label: t.noTags, isDisabled: true }]
                : (tags ?? []).map(({ tag }) => ({ value: tag, label: tag }))
            }
          />
        </>
      }
      bulk={(chosen, clear) => <BulkActions keys={chosen} onDone={clear} />}
      empty={
        <EmptyState
          icon="key"
          title={t.empty.title}
          action={
            <Button look="primary" icon="plus" onClick={() => onStep({ kind: 'create' })}>
              {t.create}
            </Button>
          }
        >
          {t.empty.text}
        </EmptyState>
      }
    />
  )
}

/** Both addresses that clients ask for: half of all wrong setups use the one where the other was meant. */
function BaseUrls(): ReactNode {
  const t = useTexts('keys').baseUrls
  const origin = useQuery(instanceQuery).data?.origin ?? siteAddress()
  return (
    <section aria-label={t.title} className="card mb-5 grid gap-x-6 gap-y-4 p-4 sm:grid-cols-2">
      <CopyField label={`${t.openai} · Base URL`} value={`${origin}/v1`} hint={t.openaiHint} />
      <CopyField label={`${t.anthropic} · Base URL`} value={origin} hint={t.anthropicHint} />
    </section>
  )
}

/** Says that keys are of no use while nothing would pay for their requests. */
function NoCredit(): ReactNode {
  const t = useTexts('keys').noCredit
  if (useNeedsCredit() !== true) return null
  return (
    <div className="mb-4">
      <Notice
        tone="warn"
        title={t.title}
        action={
          <Link to={PATHS.billing} className={buttonClass('secondary')}>
            {t.action}
          </Link>
        }
      >
        {t.text}
      </Notice>
    </div>
  )
}
