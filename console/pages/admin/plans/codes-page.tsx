import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { RedeemCodeView } from '../../../../src/contract/billing.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { codeBatchesQuery, codesQuery, deleteCode } from '../../../api/plan-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { plansDictionary } from '../../../dictionaries/plans.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useFormat } from '../../../format/use-format.ts'
import { DataTable } from '../../../table/data-table.tsx'
import { FilterSelect } from '../../../table/filter-select.tsx'
import { useTableState } from '../../../table/use-table-state.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { shownCode, useCodeColumns } from './code-columns.tsx'

const SHAPE = { filters: ['state', 'batch'], sort: { by: 'created', order: 'desc' } } as const
const STATES = ['unused', 'used', 'expired'] as const

/** Redeem codes one by one: what each gives, and what became of it. Its filters stand in the address. */
export default function CodesPage(): ReactNode {
  const t = plansDictionary.useTexts().codes
  const format = useFormat()
  const table = useTableState(SHAPE)
  const { sort: _sort, order: _order, ...query } = table.query
  const codes = useQuery(codesQuery(query))
  const { data: batches } = useQuery(codeBatchesQuery)
  const [asked, setAsked] = useState<RedeemCodeView | null>(null)
  const mayDelete = useMay('books')
  const columns = useCodeColumns(useNow(), mayDelete ? setAsked : null)
  // Of one moment there is one line, also where the codes of a request give different things.
  const moments = new Map((batches?.data ?? []).map(({ created_at: at, note }) => [at, note]))
  return (
    <>
      <Link
        to={ADMIN_PATHS.plans}
        className="mb-2 inline-flex min-h-6 items-center gap-1 text-sm text-accent hover:underline"
      >
        <Icon name="left" /> {t.back}
      </Link>
      <PageHeader title={t.listTitle} lead={t.listLead} />
      <DataTable
        name="codes"
        label={t.listTitle}
        columns={columns}
        state={table}
        page={codes}
        rowId={({ id }) => id}
        rowName={shownCode}
        download={{ path: '/api/redeem-codes', query: { search: table.search, ...table.filters } }}
        searchLabel={t.search}
        filters={
          <>
            <FilterSelect
              state={table}
              name="state"
              label={t.columns.state}
              options={STATES.map((value) => ({ value, label: t.states[value] }))}
            />
            <FilterSelect
              state={table}
              name="batch"
              label={t.batch}
              options={[...moments].map(([value, note]) => ({
                value,
                label: [format.time(value), note].filter((part) => part !== '').join(' · '),
              }))}
            />
          </>
        }
        empty={
          <EmptyState icon="billing" title={t.empty.title}>
            {t.empty.text}
          </EmptyState>
        }
      />
      {asked !== null && <DeleteCode code={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function DeleteCode({ code, onClose }: { readonly code: RedeemCodeView; onClose(): void }): ReactNode {
  const t = plansDictionary.useTexts().codes
  const queries = useQueryClient()
  const toast = useToast()
  const problemText = useProblemText()
  const deletion = useMutation({
    mutationFn: () => deleteCode(code.id),
    onSuccess: () => toast({ text: t.deleted }),
    onError: (error) => toast({ text: problemText(error), tone: 'bad' }),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['plans'] })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen
      title={t.deleteTitle(shownCode(code))}
      action={t.delete}
      cancel={t.deleteKeep}
      isDangerous
      isBusy={deletion.isPending}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      {t.deleteText}
    </ConfirmDialog>
  )
}
