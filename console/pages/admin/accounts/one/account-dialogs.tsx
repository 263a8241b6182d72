import { useState, type ReactNode } from 'react'
import type { AccountView } from '../../../../../src/contract/accounts.ts'
import { changeAccount, closeAccount, creditAccount, seeAs } from '../../../../api/accounts.ts'
import { beginSeeing } from '../../../../api/seeing.ts'
import { usePersonId } from '../../../../api/use-person-id.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { useFormat } from '../../../../format/use-format.ts'
import { FormDialog } from '../../../../forms/form-dialog.tsx'
import { NumberField } from '../../../../forms/number-field.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { amountAboveZero } from '../../../../forms/typed-numbers.ts'
import { useForm } from '../../../../forms/use-form.ts'
import { useGuarded } from '../../../../shell/identity-guard.tsx'
import { RadioCards } from '../../../../ui/radio-cards.tsx'
import { ROLES } from '../../roles.ts'

const REFERENCE = /^[\w.-]{0,60}$/

/** Adds to a balance, with a reason that its owner reads. */
export function AddCredit(props: { readonly account: AccountView; onClose(): void }): ReactNode {
  const t = useTexts('accounts').credit
  const format = useFormat()
  const guarded = useGuarded()
  const { account, onClose } = props
  const form = useForm({
    initial: { amount: '', reason: '', reference: '' },
    validate: ({ amount, reason, reference }) => ({
      amount: amountAboveZero(amount) === null && 'amountForm',
      reason: reason.trim() === '' && 'required',
      reference: !REFERENCE.test(reference.trim()) && 'referenceForm',
    }),
    messages: t,
    send: ({ amount, reason, reference }, { key }) =>
      guarded(() =>
        creditAccount(
          account.id,
          { amount: amountAboveZero(amount) ?? '', reason: reason.trim(), reference: reference.trim() },
          key,
        ),
      ),
    done: (entry) => t.done(format.money(entry.balance_after)),
    refreshes: ['accounts', 'attention', 'me', 'ledger'],
    onClose,
  })
  return (
    <FormDialog form={form} size="small" title={t.title(account.email)} action={t.action} onClose={onClose}>
      <NumberField of="amount" {...form.text('amount', t.amount)} autoFocus />
      <TextField {...form.text('reason', t.reason)} hint={t.reasonHint} maxLength={400} />
      <TextField {...form.text('reference', t.reference)} hint={t.referenceHint} isOptional maxLength={60} />
    </FormDialog>
  )
}

/** Asks why, which the owner reads, and shows the account's own console in this tab. */
export function SeeAs(props: { readonly account: AccountView; onClose(): void }): ReactNode {
  const t = useTexts('accounts').seeAs
  const { account, onClose } = props
  const viewerId = usePersonId()
  const form = useForm({
    initial: { reason: '' },
    validate: ({ reason }) => ({ reason: reason.trim() === '' && 'required' }),
    send: ({ reason }) => seeAs(account.id, reason.trim()),
    onDone: ({ grant, until }) => {
      if (grant === null) return
      beginSeeing({ accountId: account.id, grant, until, ...(viewerId === null ? {} : { viewerId }) })
    },
  })
  return (
    <FormDialog
      form={form}
      size="small"
      title={t.title(account.email)}
      description={t.lead}
      action={t.submit}
      onClose={onClose}
    >
      <TextField {...form.text('reason', t.reason)} hint={t.reasonHint} maxLength={200} autoFocus />
    </FormDialog>
  )
}

/** Gives an account another role; those of the declarative file have theirs there. */
export function ChangeRole(props: { readonly account: AccountView; onClose(): void }): ReactNode {
  const t = useTexts('accounts')
  const guarded = useGuarded()
  // As it was when the dialog was opened.
  const [account] = useState(props.account)
  const form = useForm({
    initial: { role: account.role },
    fields: [],
    send: ({ role }, { version }) => guarded(() => changeAccount(account.id, { role }, version ?? account.version)),
    done: (saved) => t.changeRole.done(t.roles[saved.role]),
    refreshes: ['accounts'],
    onClose: props.onClose,
  })
  return (
    <FormDialog
      form={form}
      size="small"
      title={t.changeRole.title(account.email)}
      description={t.changeRole.lead}
      onClose={props.onClose}
    >
      <RadioCards
        {...form.choice('role', t.columns.role)}
        options={ROLES.map((value) => ({ value, label: t.roles[value], detail: t.roleHints[value] }))}
        columns={1}
      />
    </FormDialog>
  )
}

/** Says what ends, what is forgotten and what is kept, and closes the account once its address is typed. */
export function CloseAccount(props: { readonly account: AccountView; onClose(): void }): ReactNode {
  const t = useTexts('oneAccount').closing
  const format = useFormat()
  const guarded = useGuarded()
  const { account, onClose } = props
  const form = useForm({
    initial: { email: '' },
    validate: ({ email }) => ({ email: email.trim().toLowerCase() !== account.email.toLowerCase() && 'mismatch' }),
    messages: t,
    send: (_values, { key }) => guarded(() => closeAccount(account.id, key)),
    done: () => t.done,
    refreshes: ['accounts', 'audit', 'attention'],
    onClose,
  })
  return (
    <FormDialog form={form} size="small" title={t.title(account.email)} action={t.submit} onClose={onClose}>
      <div className="grid gap-2">
        <p>{t.ends}</p>
        <p>{t.forgets}</p>
        <p className="font-medium text-ink">{t.keeps(format.exactMoney(account.balance))}</p>
      </div>
      <TextField {...form.text('email', t.confirm)} autoComplete="off" autoFocus />
    </FormDialog>
  )
}
