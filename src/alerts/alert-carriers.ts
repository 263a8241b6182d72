import type { Clock } from '../core/clock.ts'
import type { AlertCarrier } from './carrier.ts'
import { LastTemplate, type ReadTemplate } from './last-template.ts'
import type { MailSettings } from './mail-address.ts'
import type { WebhookSettings } from './webhook.ts'

/** The ways on which alerts leave; null: none go that way. */
export interface AlertWaySettings {
  readonly alertWebhook: WebhookSettings | null
  readonly mail: MailSettings | null
}

/** The ways out that the settings name. What is not configured is not loaded. `readTemplate`: what is posted to the webhook. */
export async function alertCarriers(
  { alertWebhook, mail }: AlertWaySettings,
  clock: Clock,
  readTemplate: ReadTemplate,
): Promise<readonly AlertCarrier[]> {
  const carriers: AlertCarrier[] = []
  if (alertWebhook !== null) {
    const { WebhookCarrier } = await import('./webhook.ts')
    const template = new LastTemplate(readTemplate)
    // Known before the database may be away.
    await template.now()
    carriers.push(new WebhookCarrier({ ...alertWebhook, clock, template }))
  }
  if (mail !== null) {
    const { MailCarrier } = await import('./mail.ts')
    carriers.push(new MailCarrier(mail))
  }
  return carriers
}
