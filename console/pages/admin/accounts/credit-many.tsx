import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../src/contract/accounts.ts'
import { ApiProblem } from '../../../api/api-problem.ts'
import { accountByEmail, creditAccount } from '../../../api/accounts.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { TextAreaField, TextField } from '../../../forms/text-field.tsx'
import { Form } from '../../../forms/form.tsx'
import { sumOf } from '../../../format/money.ts'
import { useFormat } from '../../../format/use-format.ts'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { type CreditLine, creditLines, MOST_LINES } from './credit-lines.ts'
import { eachOf } from './each-of.ts'

const REFERENCE = /^[\w.-]{1,60}$/

/** A line with what became of it. */
interface Row extends CreditLine {
  /** null: there is none of this address. undefined: it is not looked up. */
  readonly account?: AccountView | null
  /** `before`: this account has an entry with the reference, and nothing was added. */
  readonly state: 'ready' | 'wrong' | 'unknown' | 'done' | 'before' | 'failed'
  readonly error?: unknown
}

/**
 * Credits many accounts by a list of addresses and amounts. They are looked up and shown before anything is credited; a list
 * that is sent twice under one reference credits each account once.
 */
export default function CreditMany(props: { readonly emails?: readonly string[]; onClose(): void }): ReactNode {
  const texts = useTexts('accounts')
  const t = texts.credits
  const shared = useSharedTexts()
  const guarded = useGuarded()
  const [rows, setRows] = useState<readonly Row[] | null>(null)
  const form = useForm({
    initial: { list: (props.emails ?? []).map((email) => `${email}, `).join('\n'), reason: '', reference: '' },
    validate: ({ list, reason, reference }) => {
      const count = creditLines(list).length
      return {
        list: count === 0 ? 'required' : count > MOST_LINES && 'tooMany',
        reason: reason.trim() === '' && 'required',
        reference: !REFERENCE.test(reference.trim()) && 'referenceForm',
      }
    },
    messages: { tooMany: t.tooMany(MOST_LINES), referenceForm: texts.credit.referenceForm },
    send: async ({ list, reason, reference }) => {
      if (rows === null) return lookedUp(creditLines(list))
      const ready = rows.filter(({ state }) => state === 'ready' || state === 'failed')
      const outcomes = await eachOf(ready, ({ account, amount }) =>
        guarded(() => creditAccount(account?.id ?? '', { amount, reason: reason.trim(), reference: reference.trim() })),
      )
      return rows.map((row): Row => {
        const outcome = outcomes.find(({ item }) => item.line === row.line)
        if (outcome === undefined) return row
        if (outcome.error === null) return { ...row, state: 'done' }
        return isCreditedBefore(outcome.error)
          ? { ...row, state: 'before' }
          : { ...row, state: 'failed', error: outcome.error }
      })
    },
    onDone: setRows,
    refreshes: ['accounts', 'attention', 'me', 'ledger'],
  })
  const open = rows?.filter(({ state }) => state === 'ready' || state === 'failed') ?? []
  const isOver = rows !== null && open.length === 0
  return (
    <Dialog isOpen title={t.title} onClose={props.onClose}>
      <Form
        submission={form}
        foot={
          <div className="flex justify-end gap-2">
            {rows !== null && !isOver && <Button onClick={() => setRows(null)}>{t.back}</Button>}
            <Button onClick={props.onClose}>{isOver ? shared.close : shared.cancel}</Button>
            {!isOver && (
              <Button type="submit" look="primary" isBusy={form.isSending}>
                {rows === null ? t.check : t.send(open.length)}
              </Button>
            )}
          </div>
        }
      >
        {rows === null ? (
          <>
            <TextAreaField
              {...form.text('list', t.list)}
              hint={t.listHint}
              rows={8}
              autoFocus
              spellCheck={false}
              className="font-mono"
              placeholder={'ada@example.com, 12.50\ngrace@example.com, 5'}
            />
            <TextField {...form.text('reason', texts.credit.reason)} hint={texts.credit.reasonHint} maxLength={400} />
            <TextField {...form.text('reference', texts.credit.reference)} hint={t.referenceHint} maxLength={60} />
          </>
        ) : (
          <Preview rows={rows} />
        )}
      </Form>
    </Dialog>
  )
}

function isCreditedBefore(error: unknown): boolean {
  return error instanceof ApiProblem && error.code === 'reference_taken'
}

async function lookedUp(lines: readonly CreditLine[]): Promise<readonly Row[]> {
  const found = new Map<number, AccountView | null>()
  const readable = lines.filter(({ problem }) => problem === null)
  const outcomes = await eachOf(readable, async (line) => {
    found.set(line.line, await accountByEmail(line.email))
  })
  const failed = outcomes.find(({ error }) => error !== null)
  if (failed !== undefined) throw failed.error
  return lines.map((line): Row => {
    if (line.problem !== null) return { ...line, state: 'wrong' }
    const account = found.get(line.line) ?? null
    return { ...line, account, state: account === null ? 'unknown' : 'ready' }
  })
}

const TONES: Readonly<Record<Row['state'], string>> = {
  ready: 'text-ink-3',
  wrong: 'text-bad',
  unknown: 'text-bad',
  done: 'text-good',
  before: 'text-warn',
  failed: 'text-bad',
}

function Preview({ rows }: { readonly rows: readonly Row[] }): ReactNode {
  const texts = useTexts('accounts')
  const t = texts.credits
  const format = useFormat()
  const problemText = useProblemText()
  const stateOf = (row: Row): string => {
    if (row.state === 'wrong') return t.objections[row.problem ?? 'form']
    if (row.state === 'failed') return problemText(row.error)
    return row.state === 'ready' ? t.balance(format.money(row.account?.balance ?? '0')) : t.states[row.state]
  }
  const counted = rows.filter(({ state }) => state === 'ready' || state === 'done')
  return (
    <>
      <p role="status">{t.sum(counted.length, format.money(sumOf(['0', ...counted.map(({ amount }) => amount)])))}</p>
      <ul aria-label={t.list} className="max-h-96 overflow-y-auto rounded-md border border-line px-3">
        {rows.map((row) => (
          <li
            key={row.line}
            className="flex flex-wrap justify-between gap-x-4 border-t border-line py-1.5 first:border-t-0"
          >
            <span className="min-w-0 [overflow-wrap:anywhere]">{row.email === '' ? t.line(row.line) : row.email}</span>
            <span className="flex gap-4">
              <span className={TONES[row.state]}>{stateOf(row)}</span>
              {row.state !== 'wrong' && <span className="font-medium">+{format.exactMoney(row.amount)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
