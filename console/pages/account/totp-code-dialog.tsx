import { useState, type ReactNode } from 'react'
import type { SecondFactorCodeBody } from '../../../src/contract/sign-in.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../forms/cancel-or-submit.tsx'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSubmission, type FieldErrors } from '../../forms/use-submission.ts'
import { Dialog } from '../../ui/dialog.tsx'

/** Asks for a code of the second step before something about it changes. */
export function TotpCodeDialog<Answer>(props: {
  readonly title: string
  readonly text: string
  readonly action: string
  send(body: SecondFactorCodeBody): Promise<Answer>
  onDone(answer: Answer): void
  onClose(): void
}): ReactNode {
  const t = useTexts('account').totp
  const shared = useSharedTexts()
  const [code, setCode] = useState('')
  const submission = useSubmission({
    fields: ['code'],
    check: (): FieldErrors => (code.trim() === '' ? { code: shared.required } : {}),
    send: () => props.send(codeOf(code)),
    onDone: props.onDone,
  })
  return (
    <Dialog isOpen size="small" title={props.title} description={props.text} onClose={props.onClose}>
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={props.action} onCancel={props.onClose} />}
      >
        <TextField
          {...submission.field('code')}
          label={t.anyCode}
          hint={t.anyCodeHint}
          autoComplete="one-time-code"
          maxLength={32}
          className="max-w-60 font-mono"
          value={code}
          onValue={setCode}
        />
      </Form>
    </Dialog>
  )
}

/** Apps show six digits, with or without a space; backup codes look different. */
function codeOf(typed: string): SecondFactorCodeBody {
  const digits = typed.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(digits) ? { way: 'totp', code: digits } : { way: 'backup_code', code: typed.trim() }
}
