import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { RedeemAnswerView } from '../../../src/contract/billing.ts'
import { redeemCode } from '../../api/billing.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSubmission } from '../../forms/use-submission.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'

/** Turns a code into balance or a subscription, and says which. */
export function RedeemCard(): ReactNode {
  const t = useTexts('billing')
  return (
    <Section title={t.redeem.title} lead={t.redeem.lead}>
      <RedeemBox />
    </Section>
  )
}

/** The form alone, and what came of it. */
export function RedeemBox(): ReactNode {
  const t = useTexts('billing')
  const [granted, setGranted] = useState<RedeemAnswerView | null>(null)
  if (granted === null) return <RedeemForm onGranted={setGranted} />
  return (
    <Notice tone="good" isLive action={<Button onClick={() => setGranted(null)}>{t.redeem.another}</Button>}>
      <Granted answer={granted} />
    </Notice>
  )
}

function RedeemForm({ onGranted }: { onGranted(answer: RedeemAnswerView): void }): ReactNode {
  const t = useTexts('billing')
  const shared = useSharedTexts()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // An address may lead to this very field.
  const search: FlatSearch = useSearch({ strict: false })
  useEffect(() => {
    if (search['redeem'] !== undefined) field.current?.focus()
  }, [search])
  const submission = useSubmission({
    fields: ['code'],
    check: () => (code.trim() === '' ? { code: shared.required } : {}),
    send: (idempotencyKey) => redeemCode(code.trim(), idempotencyKey),
    onDone: (answer: RedeemAnswerView) => {
      for (const name of ['me', 'ledger', 'subscriptions', 'diagnosis'])
        void queries.invalidateQueries({ queryKey: [name] })
      onGranted(answer)
    },
  })
  return (
    <Form
      submission={submission}
      label={t.redeem.title}
      foot={
        <div>
          <Button type="submit" isBusy={submission.isSending} className="max-sm:w-full">
            {t.redeem.action}
          </Button>
        </div>
      }
    >
      <TextField
        {...submission.field('code')}
        label={t.redeem.code}
        value={code}
        onValue={setCode}
        ref={field}
        placeholder="K7QM-2XWP-9DRA-HT4C-CN8P"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={100}
        className="font-mono"
      />
    </Form>
  )
}

function Granted({ answer }: { readonly answer: RedeemAnswerView }): ReactNode {
  const t = useTexts('billing')
  const { sentences } = useSharedTexts()
  const format = useFormat()
  if (answer.kind === 'plan') {
    const plan = answer.plan ?? ''
    return <p>{answer.ends_at === null ? t.redeem.planOpen(plan) : t.redeem.plan(plan, format.time(answer.ends_at))}</p>
  }
  return (
    <p>
      {sentences([
        ...(answer.amount === null ? [] : [t.redeem.balance(format.exactMoney(answer.amount))]),
        t.redeem.newBalance(format.money(answer.balance)),
      ])}
    </p>
  )
}
