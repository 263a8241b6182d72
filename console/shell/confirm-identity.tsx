import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Me } from '../../src/contract/me.ts'
import type { ConfirmBody, SignInMethods } from '../../src/contract/sign-in.ts'
import { canUsePasskeys, isDeclined, showPasskey } from '../api/passkeys.ts'
import { confirmIdentity, methodsQuery } from '../api/sign-in.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { CancelOrSubmit } from '../forms/cancel-or-submit.tsx'
import { Form } from '../forms/form.tsx'
import { TextField } from '../forms/text-field.tsx'
import { useForm } from '../forms/use-form.ts'
import { Dialog } from '../ui/dialog.tsx'
import { QueryView } from '../ui/query-view.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'

type SignInWay = 'password' | 'totp' | 'passkey'

/** Asks for credentials before a protected step. Loaded when it is needed. */
export default function ConfirmIdentity(props: { readonly me: Me; onAnswer(isConfirmed: boolean): void }): ReactNode {
  const t = useSharedTexts().confirmIdentity
  const methods = useQuery(methodsQuery)
  return (
    <Dialog isOpen size="small" title={t.title} description={t.lead} onClose={() => props.onAnswer(false)}>
      <QueryView query={methods} skeleton={<SkeletonLines />}>
        {(data) => {
          const ways = waysOf(data)
          const [first] = ways
          return first === undefined ? <p>{t.noWay}</p> : <ConfirmForm {...props} ways={ways} first={first} />
        }}
      </QueryView>
    </Dialog>
  )
}

function waysOf(methods: SignInMethods): readonly SignInWay[] {
  return [
    ...(methods.has_password ? (['password'] as const) : []),
    ...(methods.totp.is_on ? (['totp'] as const) : []),
    ...(methods.passkeys.length > 0 && canUsePasskeys() ? (['passkey'] as const) : []),
  ]
}

function ConfirmForm(props: {
  readonly me: Me
  readonly ways: readonly SignInWay[]
  readonly first: SignInWay
  onAnswer(isConfirmed: boolean): void
}): ReactNode {
  const t = useSharedTexts().confirmIdentity
  const [way, setWay] = useState(props.first)
  const form = useForm({
    initial: { password: '', totp: '' },
    validate: ({ password, totp }) => ({
      password: way === 'password' && password === '' && 'required',
      totp: way === 'totp' && totp === '' && 'required',
    }),
    send: async ({ password, totp }) => {
      const shown: ConfirmBody =
        way === 'password'
          ? { password }
          : way === 'totp'
            ? { totp: totp.replaceAll(' ', '') }
            : { passkey: await showPasskey() }
      await confirmIdentity(shown).catch((error: unknown) => {
        if (!isDeclined(error)) throw error
      })
    },
    onDone: () => props.onAnswer(true),
  })
  const names = { password: t.withPassword, totp: t.withCode, passkey: t.withPasskey }
  return (
    <Form
      submission={form}
      foot={<CancelOrSubmit submission={form} action={t.action} onCancel={() => props.onAnswer(false)} />}
    >
      {props.ways.length > 1 && (
        <RadioCards
          label={t.ways}
          isLabelHidden
          name="way"
          columns={props.ways.length === 3 ? 3 : 2}
          value={way}
          onValue={(next) => {
            setWay(next)
            form.change({ password: '', totp: '' })
            form.reset()
          }}
          options={props.ways.map((value) => ({ value, label: names[value] }))}
        />
      )}
      {/* Password managers look for the name beside the password. */}
      <input type="email" name="username" autoComplete="username" value={props.me.email} readOnly hidden />
      {way === 'password' && (
        <TextField {...form.text('password', t.password)} type="password" autoComplete="current-password" autoFocus />
      )}
      {way === 'totp' && (
        <TextField {...form.text('totp', t.code)} inputMode="numeric" autoComplete="one-time-code" autoFocus />
      )}
      {way === 'passkey' && <p className="text-ink-2">{t.passkeyLead}</p>}
    </Form>
  )
}
