import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { instanceQuery } from '../../../api/instance.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { siteAddress } from '../../../site.ts'
import { Notice } from '../../../ui/notice.tsx'

/** Says so where the addresses that the gateway shows are not the one that the console was opened at. */
export function AddressNotice(): ReactNode {
  const t = useTexts('operations').wrongAddress
  const shown = useQuery(instanceQuery).data?.origin
  const here = siteAddress()
  // On the machine itself, or through a tunnel to it, another address than the public one is right.
  if (shown === undefined || shown === here || LOCAL.test(location.hostname)) return null
  return (
    <Notice tone="warn" title={t.title}>
      <p>{t.text(shown, here)}</p>
      <p>{t.fix(here)}</p>
    </Notice>
  )
}

const LOCAL = /^(?:localhost|127\.[\d.]+|\[::1\])$/
