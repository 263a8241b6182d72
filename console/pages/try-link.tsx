import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { PATHS } from '../paths.ts'
import { buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { ICON_BUTTON } from '../ui/icon-button.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

/** A link to the playground, with a model, a key or a protocol that is chosen there. `isSmall`: an icon, for the rows of a list. */
export function TryLink(props: {
  readonly model?: string | null
  readonly keyId?: string | null
  readonly protocol?: string | null
  readonly isSmall?: boolean
}): ReactNode {
  const t = useSharedTexts()
  const { model, keyId, protocol, isSmall = false } = props
  const search = {
    ...(model == null ? {} : { model }),
    ...(keyId == null ? {} : { key: keyId }),
    ...(protocol == null ? {} : { protocol }),
  }
  if (!isSmall) {
    return (
      <Link to={PATHS.playground} search={search} className={buttonClass('secondary')}>
        <Icon name="playground" />
        {t.tryIt}
      </Link>
    )
  }
  const label = t.tryModel(model ?? '')
  return (
    <Tooltip text={label}>
      <Link to={PATHS.playground} search={search} aria-label={label} className={ICON_BUTTON}>
        <Icon name="playground" />
      </Link>
    </Tooltip>
  )
}
