import { type Release, releaseOf } from '../operations/migrate.ts';

/** The steps of release 0.2.0, from which stores are upgraded directly. Their files are gone: schema/ and functions/ have their result. */
export const OLDEST_RELEASE: Release = releaseOf('0.2.0', [
  ['foundation', '26c9373c4a33dcba0bf8ed727028d81e8e30e3fe05c531548c1915d114b3f1a8'],
  ['add-daily-sums', '7b7bb2c39e506be9644799c33e07febd14d96ea91de253267ff05b3888665738'],
  ['append-posts', '79bcb8e5c6ecd5d7b8e9968747bc9e82d7d4a3ad384c9764725912bed152f862'],
  ['first-not-before', '805f6a10bb94fdef0a7971c4551792208b051706f82e00ef3c472be6e351cde3'],
  ['guild-ledger', 'eed56c308eefee551723f6a3d510d144c17e0d3be2184441aa3e4af76d048d20'],
  ['posts-of-many-guilds', '1dce4d44451a260ca0c30bb8c4d626695aa6e8d7ddcfe6689dbced009404f4cc'],
  ['read-marks', '0b2408e4d0790ea8dea9fcc9f36e6fd7120aa13fe9003d7bd80ffc9a8c37b401'],
  ['transaction-numbers', '5c93bacaf5d027fb831338c59be87b853365984cb0af24b4dd4c494f6f8d9c4f'],
  ['append-transactions', 'e3537b2e02bdc2717b6bd78dc1514a0f14f1000be886472ba108912efde11f28'],
  ['key-management', 'c988a9dd3b312d25a727f645816f78f9a3ed08c70751678871f332726dbe3d04'],
  ['webhooks', '948a242c494131a7b689b88d6843b2c46ebeb70a243777a83310afbd19da4084'],
  ['decide-posts', '918bd286770ba0150453f17ce459e60a4b14a76cdd91bcfc928bb0421019a973'],
  ['append-decided-posts', 'e46baca64ff5799892bcc97f9badb7e30f5b278873f0941251ad56f98e36db3f'],
  ['one-guild', '0e7c52feeb0e99ce2c80c7ed7ecf2a754dd3860b78b552d55175297e05a6ff13'],
  ['corrections-of-one-guild', 'edcf7fcf0403852108577b2059b01c5b1b0a81073e3f5199259d6c7efc271e7e'],
  ['roles', '5c97004887775accafdf8c884b701cfdd9dab0eb4ea0a31b424bdf5363a25279'],
  ['person-preferences', '3186c57e14d2ff65405b03b74264311f6f86e2f629ef59bf41f8d934b06dbd1b'],
  ['guild-display', '1ffa8cb08a657156cfc3f9cf3d2528bcbfe940fef1f53980ee30455595401dcb'],
]);
