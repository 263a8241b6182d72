import { useState, type ComponentProps, type ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { IconButton } from './icon-button.tsx'
import { Input } from './input.tsx'

/** A password, which its writer may look at. */
export function PasswordInput({
  isSecret = false,
  ...props
}: Omit<ComponentProps<'input'>, 'type'> & {
  /** Whether it takes the secret of an API key. */
  readonly isSecret?: boolean
}): ReactNode {
  const t = useSharedTexts()
  const names = isSecret ? { show: t.showSecret, hide: t.hideSecret } : { show: t.showPassword, hide: t.hidePassword }
  const [isShown, setShown] = useState(false)
  return (
    <div className="relative">
      <Input {...props} type={isShown ? 'text' : 'password'} spellCheck={false} className="pr-11" />
      <div className="absolute inset-y-0 right-0 flex items-center">
        <IconButton
          icon="eye"
          label={isShown ? names.hide : names.show}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        />
      </div>
    </div>
  )
}
