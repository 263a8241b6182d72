import { sealer } from '../../src/core/secret-box.ts'
import type { Upstream } from '../../src/routing/catalog.ts'
import { unlimitedCredential } from '../../src/routing/credential-settings.ts'
import type { CloudWay } from './cloud-ways.ts'
import { CLOUD_KEY, type Clouds } from './clouds-under-test.ts'
import { TEST_SECRET } from './gateway-under-test.ts'

/** What an upstream of a gateway under test has at fakes of the clouds, beside its name and protocol. */
export function cloudSettings(clouds: Clouds, way: CloudWay): Pick<Upstream, 'baseUrl' | 'credentials' | 'passage'> {
  const credentials = [unlimitedCredential(sealer(TEST_SECRET).seal(CLOUD_KEY))]
  return { baseUrl: clouds.baseUrlOf(way), credentials, passage: way.passage }
}
