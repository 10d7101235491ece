import { type Release, releaseOf } from '../operations/migrate.ts';

/** The steps of release 0.2.0, from which stores are upgraded directly. Their files are gone: schema/ has their result. */
export const OLDEST_RELEASE: Release = releaseOf('0.2.0', [
  ['foundation', '75cc6e611583aaaeaba80305772305462fea130ccac52ec1a8d7c0f68582ffc2'],
  ['audit', 'a049763fe6a36d913c3e165e68ab37fdafe9288649bf49265b06405659c51835'],
  ['sessions', 'a2e528a2f7d5f2b4d48b5270a100ed62d74dd5145669032bfdcb0636ff059ffa'],
  ['record-pages', '5c8686861e0441d09763f1d2d57ac8a8e1569097ae97a5cf1be971669354b429'],
  ['daily-sums', '84bce856aaeb05ab665d7c268b5f0732dbb31be1b07d61cd26ec55e8105b1f63'],
  ['record-revisions', '88cdf5c5810f0f5d29231c8ebb7c7e91d035e0c91419fab22bc5603d17073f32'],
  ['guild-record-revisions', 'd40c08c7095745d1af9d2bc326969d06600afacca2bba3332cdd722c9bbe9b42'],
  ['transaction-numbers', 'f8a97639ca07d93fc6492f95002b747254e6e20b77cbcc238602511c3dffd9de'],
  ['numbers-without-trigger', 'd8369a62c5f651ff7a010965853508fc5db4de2d3379104492be24cf74a87799'],
  ['key-management', '1e919b05472fc8c4f2dc116ee93ed92b3f3fb5f3a5fbda18169873e6705acf29'],
  ['webhooks', 'acab8ea197c74fbf94ccb165a7b43df994fe026867cf7dc2a2023973e730ce87'],
  ['roles', '7a3a691da21cdda22a9f8d0f0e9eff0557960bed89f41fd6280e775d7d30d7e8'],
  ['person-preferences', 'de0bd23c5b11d84195cc6abdad1dd623ea1f0cbfc654b4a51debee580da61afa'],
  ['guild-display', '1c10bebbca834b4c3016790b3542d9f931330120e6b24a1b0659ad847e6e788c'],
  ['orders-of-long-accounts', 'a5863b4de7be7beccbc966ad025a1fd9877dc2a4a8483b8a0417f9150bafdb33'],
]);
