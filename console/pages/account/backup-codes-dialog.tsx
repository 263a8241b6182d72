import type { ReactNode } from 'react'
import { useTexts } from '../../dictionaries/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** Backup codes, shown this once. */
export function BackupCodesDialog(props: { readonly codes: readonly string[]; onClose(): void }): ReactNode {
  const t = useTexts('account').totp
  return (
    <Dialog
      isOpen
      size="small"
      title={t.codesTitle}
      description={t.codesLead}
      onClose={props.onClose}
      foot={
        <>
          <CopyButton text={props.codes.join('\n')} what={t.codesCopy} label={t.codesCopy} />
          <Button look="primary" onClick={props.onClose}>
            {t.codesKept}
          </Button>
        </>
      }
    >
      <ul aria-label={t.codesWhat} className="grid grid-cols-2 gap-2 rounded-lg bg-sunken p-3 font-mono">
        {props.codes.map((code) => (
          <li key={code} className="text-center select-all">
            {code}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
