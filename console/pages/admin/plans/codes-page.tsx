import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import type { RedeemCodeView } from '../../../../src/contract/billing.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { codeBatchesQuery, codesQuery, deleteCode } from '../../../api/plan-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { FilterSelect } from '../../../table/filter-select.tsx'
import { useTableState } from '../../../table/use-table-state.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useNow } from '../../../ui/use-now.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { columnsOf } from '../../../table/columns-of.ts'
import { ListPage } from '../kit/list-page.tsx'
import { useChange } from '../../../forms/use-change.ts'

const SHAPE = { filters: ['state', 'batch'], sort: { by: 'created', order: 'desc' } } as const
const STATES = ['unused', 'used', 'expired'] as const

/** Redeem codes one by one: what each gives, and what became of it. Its filters stand in the address. */
export default function CodesPage(): ReactNode {
  const t = useTexts('plans').codes
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
      <BackLink to={ADMIN_PATHS.plans}>{t.back}</BackLink>
      <ListPage
        name="codes"
        icon="billing"
        texts={{ ...t, title: t.listTitle, lead: t.listLead }}
        columns={columns}
        state={table}
        page={codes}
        rowId={({ id }) => id}
        rowName={shownCode}
        download={{ path: '/api/redeem-codes', query: { search: table.search, ...table.filters } }}
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
      />
      {asked !== null && <DeleteCode code={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function DeleteCode({ code, onClose }: { readonly code: RedeemCodeView; onClose(): void }): ReactNode {
  const t = useTexts('plans').codes
  const deletion = useChange({
    send: () => deleteCode(code.id),
    done: () => t.deleted,
    onSettled: onClose,
    refreshes: ['plans'],
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

type CodeState = 'unused' | 'used' | 'expired'

const TONES: Readonly<Record<CodeState, Tone>> = { unused: 'good', used: 'neutral', expired: 'warn' }

/** The state by the rule of the server's filter: a used code is only used. */
function stateOf({ redeemed_at: usedAt, expires_at: endsAt }: RedeemCodeView, nowMs: number): CodeState {
  if (usedAt !== null) return 'used'
  return endsAt !== null && Date.parse(endsAt) <= nowMs ? 'expired' : 'unused'
}

/** How a code is shown once it was handed out. */
function shownCode({ code_start: start, code_end: end }: RedeemCodeView): string {
  return `${start}…${end}`
}

/** `onDelete`: null for who may not. */
function useCodeColumns(
  nowMs: number,
  onDelete: ((code: RedeemCodeView) => void) | null,
): readonly Column<RedeemCodeView>[] {
  const { codes: t, columns } = useTexts('plans')
  const format = useFormat()
  return useMemo(
    () =>
      columnsOf<RedeemCodeView, keyof typeof t.columns | 'actions'>(
        { actions: columns.actions, ...t.columns },
        {
          code: {
            role: 'title',
            cell: (code) => <span className="font-mono text-sm whitespace-nowrap">{shownCode(code)}</span>,
          },
          gives: {
            onPhone: 'plain',
            cell: ({ amount, plan }) => (amount === null ? t.plan(plan ?? '–') : t.balance(format.money(amount))),
          },
          state: {
            onPhone: 'state',
            cell: (code) => {
              const state = stateOf(code, nowMs)
              return (
                <Badge tone={TONES[state]} hasDot>
                  {t.states[state]}
                </Badge>
              )
            },
          },
          usedBy: {
            isEmptyFor: ({ redeemed_by: id }) => id === null,
            cell: ({ redeemed_by: id, redeemed_by_email: email, redeemed_at: at }) =>
              id === null ? (
                '–'
              ) : (
                <span className="block min-w-0">
                  <Link to={ADMIN_PATHS.account} params={{ accountId: id }} className="text-accent hover:underline">
                    <CutName text={email ?? id} className="max-w-44 max-lg:max-w-full" />
                  </Link>
                  <span className="block text-sm text-ink-3">{at === null ? '' : format.time(at)}</span>
                </span>
              ),
          },
          note: {
            isEmptyFor: ({ note }) => note === '',
            cell: ({ note }) =>
              note === '' ? (
                <span className="text-ink-3">–</span>
              ) : (
                <CutName text={note} className="max-w-44 max-lg:max-w-full" />
              ),
          },
          created: { cell: ({ created_at: at }) => format.time(at) },
          expires: { onPhone: 'figure', cell: ({ expires_at: at }) => (at === null ? t.never : format.time(at)) },
          actions:
            onDelete === null
              ? undefined
              : {
                  role: 'actions',
                  cell: (code) =>
                    code.redeemed_at === null && (
                      <IconButton
                        icon="trash"
                        label={`${t.delete} ${shownCode(code)}`}
                        onClick={() => onDelete(code)}
                      />
                    ),
                },
        },
      ),
    [t, columns, format, nowMs, onDelete],
  )
}
