import { useState, type ReactNode } from 'react'
import { secondStep } from '../../api/sign-in.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSubmission, type FieldErrors } from '../../forms/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'

/** Asks, after the right password, for a code from the app or a backup code. */
export function SecondStepForm(props: { onSignedIn(): void; onStartAgain(): void }): ReactNode {
  const t = useTexts('outside').secondStep
  const shared = useSharedTexts()
  const [way, setWay] = useState<'totp' | 'backup_code'>('totp')
  const [code, setCode] = useState('')
  const [isTrusted, setTrusted] = useState(false)
  const submission = useSubmission({
    fields: ['code'],
    check: (): FieldErrors => (code.trim().length < 6 ? { code: shared.required } : {}),
    send: () =>
      secondStep({ way, code: way === 'totp' ? code.replaceAll(' ', '') : code.trim(), trust_browser: isTrusted }),
    onDone: props.onSignedIn,
  })
  return (
    <Form
      submission={submission}
      foot={
        <div className="grid gap-2">
          <Button type="submit" look="primary" isBusy={submission.isSending}>
            {t.action}
          </Button>
          <Button
            look="quiet"
            onClick={() => {
              setWay(way === 'totp' ? 'backup_code' : 'totp')
              setCode('')
              submission.reset()
            }}
          >
            {way === 'totp' ? t.useBackup : t.useApp}
          </Button>
          <Button look="quiet" onClick={props.onStartAgain}>
            {t.startAgain}
          </Button>
        </div>
      }
    >
      <p className="-mt-3 text-ink-2">{way === 'totp' ? t.lead : t.leadBackup}</p>
      <TextField
        key={way}
        {...submission.field('code')}
        label={way === 'totp' ? t.code : t.backupCode}
        inputMode={way === 'totp' ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        autoFocus
        spellCheck={false}
        className="font-mono text-lg tracking-widest"
        value={code}
        onValue={setCode}
      />
      <Checkbox checked={isTrusted} onChecked={setTrusted}>
        {t.trust}
      </Checkbox>
    </Form>
  )
}
