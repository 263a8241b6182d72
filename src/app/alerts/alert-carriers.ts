import type { Clock } from '../../core/clock.ts'
import type { Settings } from '../environment.ts'
import type { Carrier } from './carrier.ts'

/** The ways out that the settings name. What is not configured is not loaded. */
export async function alertCarriers(
  { alertWebhook, mail }: Pick<Settings, 'alertWebhook' | 'mail'>,
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
