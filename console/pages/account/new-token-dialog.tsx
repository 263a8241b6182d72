import { useState, type ReactNode } from 'react'
import type { AccessTokenWithSecret } from '../../../src/contract/access-tokens.ts'
import { createAccessToken } from '../../api/access-tokens.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { SelectField } from '../../forms/select-field.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSubmission, type FieldErrors } from '../../forms/use-submission.ts'
import { useGuarded } from '../../shell/identity-guard.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'

const DAY_MS = 86_400_000

/** Asks what the access token may do, then shows it once. Loaded when it is needed. */
export default function NewTokenDialog(props: { onCreated(): void; onClose(): void }): ReactNode {
  const [made, setMade] = useState<AccessTokenWithSecret | null>(null)
  if (made !== null) return <TokenShown secret={made.secret} onClose={props.onClose} />
  return (
    <NewTokenForm
      onClose={props.onClose}
      onMade={(answer) => {
        setMade(answer)
        props.onCreated()
      }}
    />
  )
}

function NewTokenForm(props: { onMade(made: AccessTokenWithSecret): void; onClose(): void }): ReactNode {
  const t = useTexts('account').tokens
  const shared = useSharedTexts()
  const guarded = useGuarded()
  const [name, setName] = useState('')
  const [scope, setScope] = useState<'read' | 'write'>('read')
  const [days, setDays] = useState<'30' | '90' | '365' | 'forever'>('90')
  const submission = useSubmission({
    fields: ['name', 'scope', 'expires_at'],
    check: (): FieldErrors => (name.trim() === '' ? { name: shared.required } : {}),
    send: (idempotencyKey) => {
      const expiresAt = days === 'forever' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
      return guarded(() => createAccessToken({ name: name.trim(), scope, expires_at: expiresAt }, idempotencyKey))
    },
    onDone: props.onMade,
  })
  return (
    <FormDialog form={submission} action={t.createAction} title={t.create} onClose={props.onClose}>
      <TextField
        {...submission.field('name')}
        label={t.name}
        placeholder={t.namePlaceholder}
        maxLength={100}
        value={name}
        onValue={setName}
      />
      <RadioCards
        label={t.scope}
        name="scope"
        value={scope}
        onValue={setScope}
        options={[
          { value: 'read', label: t.read, detail: t.readDetail },
          { value: 'write', label: t.write, detail: t.writeDetail },
        ]}
      />
      <SelectField
        {...submission.field('expires_at')}
        label={t.validity}
        className="max-w-48"
        value={days}
        onValue={setDays}
        options={[
          { value: '30', label: t.days(30) },
          { value: '90', label: t.days(90) },
          { value: '365', label: t.days(365) },
          { value: 'forever', label: t.forever },
        ]}
      />
    </FormDialog>
  )
}

/** The secret lives in this component alone, and goes with it. */
function TokenShown(props: { readonly secret: string | null; onClose(): void }): ReactNode {
  const t = useTexts('account').tokens
  return (
    <Dialog
      isOpen
      title={t.shownTitle}
      description={t.shownLead}
      onClose={props.onClose}
      foot={
        <Button look="primary" onClick={props.onClose}>
          {t.saved}
        </Button>
      }
    >
      {props.secret === null ? (
        <Notice tone="warn">{t.secretLost}</Notice>
      ) : (
        <CopyField label={t.secret} value={props.secret} />
      )}
    </Dialog>
  )
}
