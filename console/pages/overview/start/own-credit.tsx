import { useSuspenseQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { creditAccount } from '../../../api/accounts.ts'
import { meQuery } from '../../../api/me.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { amountAboveZero } from '../../../forms/typed-numbers.ts'
import { useForm } from '../../../forms/use-form.ts'
import { useFormat } from '../../../format/use-format.ts'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { Button } from '../../../ui/button.tsx'

/** Credits the own account, for those who may: what they would do on the account's page, with the amount proposed. */
export default function OwnCredit(): ReactNode {
  const t = useTexts('start').credit
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <div>
        <Button look="primary" icon="plus" onClick={() => setOpen(true)}>
          {t.own}
        </Button>
      </div>
      {isOpen && <CreditForm onClose={() => setOpen(false)} />}
    </>
  )
}

/** Enough for a first day, and easily taken back. */
const PROPOSED = '10'

function CreditForm({ onClose }: { onClose(): void }): ReactNode {
  const t = useTexts('start').credit
  const format = useFormat()
  const guarded = useGuarded()
  const { data: me } = useSuspenseQuery(meQuery)
  const form = useForm({
    initial: { amount: PROPOSED },
    validate: ({ amount }) => ({ amount: amountAboveZero(amount) === null && 'amountForm' }),
    messages: t,
    send: ({ amount }, { key }) =>
      guarded(() =>
        creditAccount(me.id, { amount: amountAboveZero(amount) ?? '', reason: t.ownReason, reference: '' }, key),
      ),
    done: (entry) => t.ownDone(format.money(entry.balance_after)),
    refreshes: ['accounts', 'attention', 'me', 'ledger', 'overview'],
    onClose,
  })
  return (
    <FormDialog form={form} size="small" title={t.own} action={t.title} onClose={onClose}>
      <NumberField of="amount" {...form.text('amount', t.amount)} autoFocus />
    </FormDialog>
  )
}
