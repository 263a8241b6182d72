import { encode } from 'uqr'
import { useState, type ReactNode } from 'react'
import type { SignInMethods, TotpStart } from '../../../src/contract/sign-in.ts'
import { finishTotp } from '../../api/sign-in.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { BackupCodesDialog } from './backup-codes-dialog.tsx'

/** Scan, type one code back, keep the backup codes. Loaded when it is needed. */
export default function TotpDialog(props: {
  readonly start: TotpStart
  onClose(): void
  onTurnedOn(methods: SignInMethods): void
}): ReactNode {
  const t = useTexts('account').totp
  const [isOn, setOn] = useState(false)
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => ({ code: code.trim() === '' && 'required' }),
    send: ({ code }) => finishTotp(code.replaceAll(' ', '')),
    done: () => t.turnedOn,
    onDone: (methods) => {
      props.onTurnedOn(methods)
      setOn(true)
    },
  })
  if (isOn) return <BackupCodesDialog codes={props.start.backup_codes} onClose={props.onClose} />
  return (
    <FormDialog form={form} action={t.check} title={t.dialogTitle} onClose={props.onClose}>
      <div className="grid items-center gap-4 sm:grid-cols-[auto_1fr]">
        <QrCode modules={encode(props.start.uri).data} label={t.qrLabel} />
        <div className="grid min-w-0 gap-3">
          <p>{t.scan}</p>
          <CopyField label={t.key} value={props.start.secret} />
        </div>
      </div>
      <TextField
        {...form.text('code', t.code)}
        hint={t.codeHint}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
        className="max-w-40 font-mono text-lg tracking-widest"
      />
    </FormDialog>
  )
}
