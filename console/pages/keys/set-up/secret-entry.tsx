import type { ReactNode } from 'react'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type SecretFit, secretFit } from './secret-fit.ts'

/**
 * Where the secret of a key that was made earlier is pasted. It is held by the parent, in the state of a
 * component, and goes with it.
 */
export function SecretEntry(props: {
  readonly apiKey: ApiKeyView
  readonly pasted: string
  /** Whether something was copied that lacks the secret. */
  readonly isMissed?: boolean
  onPasted(text: string): void
}): ReactNode {
  const t = useTexts('keys').setUp
  const fit = secretFit(props.pasted, props.apiKey)
  const isEmpty = fit === 'empty'
  const isMissed = isEmpty && props.isMissed === true
  const empty = isMissed ? t.missed : props.apiKey.managed ? '' : t.secretLost
  return (
    <div className="rounded-lg border border-line bg-sunken p-3">
      <TextField
        // A name that no password store takes for its own.
        name="pasted-secret"
        label={t.secretEntry}
        hint={t.secretEntryHint(props.apiKey.secret_start, props.apiKey.secret_end)}
        type="password"
        isSecret
        autoComplete="off"
        data-1p-ignore
        data-lpignore="true"
        maxLength={200}
        value={props.pasted}
        onValue={props.onPasted}
      />
      <p role="status" className={classNames('mt-1 flex min-h-5 gap-1.5 text-sm', colourOf(fit, isMissed))}>
        {(isMissed || !isEmpty) && <Icon name={fit === 'fits' ? 'check' : 'warning'} className="mt-0.5" />}
        <span>{isEmpty ? empty : t.fits[fit]}</span>
      </p>
    </div>
  )
}

function colourOf(fit: SecretFit, isMissed: boolean): string {
  if (isMissed) return 'text-warn'
  if (fit === 'empty') return 'text-ink-3'
  return fit === 'fits' ? 'text-good' : 'text-bad'
}
