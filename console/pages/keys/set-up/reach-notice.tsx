import type { ReactNode } from 'react'
import type { KeySetup, SetupClient } from '../../../../src/contract/setup.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { addressInContainer, reachOf } from '../../../setup/address-reach.ts'
import { CopyField } from '../../../ui/copy-field.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** What stands in the way where a client runs elsewhere than the reader: at its maker's, or in a container. */
export function ReachNotice({ client, setup }: { readonly client: SetupClient; readonly setup: KeySetup }): ReactNode {
  const t = useTexts('keys').setUp
  const { openai, anthropic: origin } = setup.base_urls
  const reach = reachOf(origin)
  if (client.advice.includes('called_from_cloud') && reach !== 'everywhere') {
    return (
      <Notice tone="warn" isLive title={t.outOfReach(client.name, origin)}>
        {t.makeReachable}
      </Notice>
    )
  }
  if (client.advice.includes('called_from_container') && reach === 'machine') {
    return <CopyField label={t.inContainer(client.name)} value={addressInContainer(openai)} hint={t.containerHint} />
  }
  return null
}
