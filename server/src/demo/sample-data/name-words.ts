/** Words that usernames are composed of. Every word can be combined with every other. */

export const GIVEN_NAMES = words(`
  Rowan Elowen Bram Isolde Cedric Maren Tobias Wren Alden Hazel Corwin Linnea Osric Petra Gareth Sable
  Edric Fenna Hollis Ivara Jorin Kaela Leoric Mirabel Nolan Orla Perrin Quill Roderic Sunniva Tamsin Ulric
  Vesna Willa Yorick Zinnia Anselm Brida Calder Dagny Emrys Freya Godwin Hesper Idris Juniper Kit Lorcan
  Maud Niall Odette Piers Rosalind Soren Thea Wystan
`);

export const FAMILY_NAMES = words(`
  Ashford Blackwood Thornbury Marsh Fairweather Holloway Greymantle Underhill Oakes Wintermere Vale Harrow
  Stonebridge Larkin Fletcher Cooper Tanner Redfern Hawthorne Millward Brightwater Crowe Dunmore Eastwick
  Falconer Gale Hartwell Ironside Kettleburn Lockwood Merrow Northgate Penrose Quarrel Ravensby Saltmarch
  Tallow Umber Wexley Yarrow
`);

export const NATURE_WORDS = words(`
  mist ember frost moss thorn river storm ash cinder willow shadow silver copper raven dusk dawn stone
  bramble honey night cloud amber birch hollow winter harvest lantern marsh iron salt
`);

export const DOER_WORDS = words(`
  walker weaver singer runner keeper hunter smith whisper dancer watcher bringer rider seeker wright
  tender caller finder warden baker carver
`);

export const ANIMALS = words(`
  Kestrel Otter Badger Heron Falcon Marten Lynx Raven Stag Wolf Fox Osprey Hare Magpie Adder Boar Sparrow
  Owl Pike Hound Newt Toad Moth Finch
`);

export const BELONGINGS = words(`
  Vane Cloak Lance Banner Quiver Helm Anvil Bell Candle Compass Crown Dagger Flask Gauntlet Hearth Key
  Lute Mantle Pennant Ring Satchel Spur Torch Tome
`);

export const TITLES = words(
  'Captain Old Young Scout Squire Mason Reeve Corporal Sergeant Warden Master Little',
);

export const MANNERS = words(`
  quiet gentle sleepy lucky grim merry stubborn wandering patient crooked humble daring hungry gilded
  rusty tidy restless solemn
`);

export const PLACES = words(
  'emberhold brackwater lanternmere thornwall hollowmere northgate saltfen oakrest',
);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
