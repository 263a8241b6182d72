import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { RedeemCodeView } from '../../../../src/contract/billing.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { plansDictionary } from '../../../dictionaries/plans.ts'
import { useFormat } from '../../../format/use-format.ts'
import type { Column } from '../../../table/column.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { CutName } from '../../../ui/cut-name.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'

export type CodeState = 'unused' | 'used' | 'expired'

const TONES: Readonly<Record<CodeState, Tone>> = { unused: 'good', used: 'neutral', expired: 'warn' }

/** As the server's filter has it: what was used counts as used alone. */
function stateOf({ redeemed_at: usedAt, expires_at: endsAt }: RedeemCodeView, nowMs: number): CodeState {
  if (usedAt !== null) return 'used'
  return endsAt !== null && Date.parse(endsAt) <= nowMs ? 'expired' : 'unused'
}

/** How a code is shown once it was handed out. */
export function shownCode({ code_start: start, code_end: end }: RedeemCodeView): string {
  return `${start}…${end}`
}

/** `onDelete`: null for who may not. */
export function useCodeColumns(
  nowMs: number,
  onDelete: ((code: RedeemCodeView) => void) | null,
): readonly Column<RedeemCodeView>[] {
  const { codes: t, columns } = plansDictionary.useTexts()
  const format = useFormat()
  return useMemo(
    (): readonly Column<RedeemCodeView>[] => [
      {
        id: 'code',
        header: t.columns.code,
        role: 'title',
        cell: (code) => <span className="font-mono text-sm whitespace-nowrap">{shownCode(code)}</span>,
      },
      {
        id: 'gives',
        header: t.columns.gives,
        cell: ({ amount, plan }) => (amount === null ? t.plan(plan ?? '–') : t.balance(format.money(amount))),
      },
      {
        id: 'state',
        header: t.columns.state,
        cell: (code) => {
          const state = stateOf(code, nowMs)
          return (
            <Badge tone={TONES[state]} hasDot>
              {t.states[state]}
            </Badge>
          )
        },
      },
      {
        id: 'usedBy',
        header: t.columns.usedBy,
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
      {
        id: 'note',
        header: t.columns.note,
        cell: ({ note }) => <CutName text={t.note(note)} className="max-w-44 max-lg:max-w-full" />,
      },
      { id: 'created', header: t.columns.created, cell: ({ created_at: at }) => format.time(at) },
      {
        id: 'expires',
        header: t.columns.expires,
        cell: ({ expires_at: at }) => (at === null ? t.never : format.time(at)),
      },
      ...(onDelete === null
        ? []
        : [
            {
              id: 'actions',
              header: columns.actions,
              role: 'actions' as const,
              cell: (code: RedeemCodeView) =>
                code.redeemed_at === null && (
                  <IconButton icon="trash" label={`${t.delete} ${shownCode(code)}`} onClick={() => onDelete(code)} />
                ),
            },
          ]),
    ],
    [t, columns, format, nowMs, onDelete],
  )
}
