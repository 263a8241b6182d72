import { useState, type ReactNode } from 'react'
import type { AccessTokenWithSecret } from '../../../src/contract/access-tokens.ts'
import { createAccessToken } from '../../api/access-tokens.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { SelectField } from '../../forms/select-field.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useForm } from '../../forms/use-form.ts'
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

interface TokenValues {
  readonly name: string
  readonly scope: 'read' | 'write'
  /** The number of days for which it is valid. */
  readonly expires_at: '30' | '90' | '365' | 'forever'
}

function NewTokenForm(props: { onMade(made: AccessTokenWithSecret): void; onClose(): void }): ReactNode {
  const t = useTexts('account').tokens
  const guarded = useGuarded()
  const form = useForm<TokenValues, AccessTokenWithSecret>({
    initial: { name: '', scope: 'read', expires_at: '90' },
    validate: ({ name }) => ({ name: name.trim() === '' && 'required' }),
    send: ({ name, scope, expires_at: days }, { key }) => {
      const expiresAt = days === 'forever' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
      return guarded(() => createAccessToken({ name: name.trim(), scope, expires_at: expiresAt }, key))
    },
    onDone: props.onMade,
  })
  return (
    <FormDialog form={form} action={t.createAction} title={t.create} onClose={props.onClose}>
      <TextField {...form.text('name', t.name)} placeholder={t.namePlaceholder} maxLength={100} />
      <RadioCards
        label={t.scope}
        name="scope"
        value={form.values.scope}
        onValue={(scope) => form.change({ scope })}
        options={[
          { value: 'read', label: t.read, detail: t.readDetail },
          { value: 'write', label: t.write, detail: t.writeDetail },
        ]}
      />
      <SelectField
        {...form.field('expires_at')}
        label={t.validity}
        className="max-w-48"
        value={form.values.expires_at}
        onValue={(days) => form.change({ expires_at: days })}
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
