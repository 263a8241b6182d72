import type { Clock } from '../core/clock.ts'
import type { Carrier } from './carrier.ts'
import type { MailSettings } from './mail-address.ts'
import type { WebhookSettings } from './webhook.ts'

/** The ways on which alerts leave; null: none go that way. */
export interface AlertWaySettings {
  readonly alertWebhook: WebhookSettings | null
  readonly mail: MailSettings | null
}

/** The ways out that the settings name. What is not configured is not loaded. */
export async function alertCarriers(
  { alertWebhook, mail }: AlertWaySettings,
  clock: Clock,
): Promise<readonly Carrier[]> {
  const carriers: Carrier[] = []
  if (alertWebhook !== null) {
    const { WebhookCarrier } = await import('./webhook.ts')
    carriers.push(new WebhookCarrier({ ...alertWebhook, clock }))
  }
  if (mail !== null) {
    const { MailCarrier } = await import('./mail.ts')
    carriers.push(new MailCarrier(mail))
  }
  return carriers
}
