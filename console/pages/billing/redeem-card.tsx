import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { RedeemAnswerView } from '../../../src/contract/billing.ts'
import { redeemCode } from '../../api/billing.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useForm } from '../../forms/use-form.ts'
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
  const field = useRef<HTMLInputElement>(null)
  // An address may lead to this very field.
  const search: FlatSearch = useSearch({ strict: false })
  useEffect(() => {
    if (search['redeem'] !== undefined) field.current?.focus()
  }, [search])
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => ({ code: code.trim() === '' && 'required' }),
    send: ({ code }, { key }) => redeemCode(code.trim(), key),
    onDone: onGranted,
    refreshes: ['me', 'ledger', 'subscriptions', 'diagnosis'],
  })
  return (
    <Form
      submission={form}
      label={t.redeem.title}
      foot={
        <div>
          <Button type="submit" isBusy={form.isSending} className="max-sm:w-full">
            {t.redeem.action}
          </Button>
        </div>
      }
    >
      <TextField
        {...form.text('code', t.redeem.code)}
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
