//! Written by `eval/language-baseline` from manual pages in cs, de, es, fr, it, ja, nl, pl, pt_BR,
//! ru, tr, en; do not edit.

use super::Row;

pub(super) const TABLE: &[Row] = &[
    Row {
        frequency: 1,
        mean: 0.69663,
        deviation: 0.04318,
    },
    Row {
        frequency: 2,
        mean: 0.13582,
        deviation: 0.02082,
    },
    Row {
        frequency: 3,
        mean: 0.08037,
        deviation: 0.01234,
    },
    Row {
        frequency: 4,
        mean: 0.06537,
        deviation: 0.01159,
    },
    Row {
        frequency: 5,
        mean: 0.05621,
        deviation: 0.00963,
    },
    Row {
        frequency: 6,
        mean: 0.05253,
        deviation: 0.00968,
    },
    Row {
        frequency: 7,
        mean: 0.04846,
        deviation: 0.00835,
    },
    Row {
        frequency: 8,
        mean: 0.04596,
        deviation: 0.00885,
    },
    Row {
        frequency: 9,
        mean: 0.04458,
        deviation: 0.00796,
    },
    Row {
        frequency: 10,
        mean: 0.04363,
        deviation: 0.00806,
    },
    Row {
        frequency: 11,
        mean: 0.04227,
        deviation: 0.00794,
    },
    Row {
        frequency: 12,
        mean: 0.04154,
        deviation: 0.00782,
    },
    Row {
        frequency: 13,
        mean: 0.04027,
        deviation: 0.00794,
    },
    Row {
        frequency: 14,
        mean: 0.03945,
        deviation: 0.00778,
    },
    Row {
        frequency: 15,
        mean: 0.03895,
        deviation: 0.00847,
    },
    Row {
        frequency: 16,
        mean: 0.03789,
        deviation: 0.00845,
    },
    Row {
        frequency: 19,
        mean: 0.03544,
        deviation: 0.00786,
    },
    Row {
        frequency: 23,
        mean: 0.03415,
        deviation: 0.00810,
    },
    Row {
        frequency: 27,
        mean: 0.03351,
        deviation: 0.00849,
    },
    Row {
        frequency: 32,
        mean: 0.03117,
        deviation: 0.01152,
    },
    Row {
        frequency: 38,
        mean: 0.02995,
        deviation: 0.00823,
    },
    Row {
        frequency: 45,
        mean: 0.02845,
        deviation: 0.01007,
    },
    Row {
        frequency: 54,
        mean: 0.02699,
        deviation: 0.01026,
    },
    Row {
        frequency: 64,
        mean: 0.02585,
        deviation: 0.01164,
    },
    Row {
        frequency: 76,
        mean: 0.02453,
        deviation: 0.01174,
    },
    Row {
        frequency: 91,
        mean: 0.02309,
        deviation: 0.01263,
    },
    Row {
        frequency: 108,
        mean: 0.02186,
        deviation: 0.01238,
    },
    Row {
        frequency: 128,
        mean: 0.02153,
        deviation: 0.01628,
    },
    Row {
        frequency: 152,
        mean: 0.02024,
        deviation: 0.01789,
    },
    Row {
        frequency: 181,
        mean: 0.01974,
        deviation: 0.01844,
    },
    Row {
        frequency: 215,
        mean: 0.02043,
        deviation: 0.02168,
    },
    Row {
        frequency: 256,
        mean: 0.01994,
        deviation: 0.02556,
    },
    Row {
        frequency: 304,
        mean: 0.01839,
        deviation: 0.02792,
    },
    Row {
        frequency: 362,
        mean: 0.01846,
        deviation: 0.03316,
    },
    Row {
        frequency: 431,
        mean: 0.01740,
        deviation: 0.03676,
    },
    Row {
        frequency: 512,
        mean: 0.01685,
        deviation: 0.04316,
    },
    Row {
        frequency: 609,
        mean: 0.01545,
        deviation: 0.04747,
    },
    Row {
        frequency: 724,
        mean: 0.01716,
        deviation: 0.06021,
    },
    Row {
        frequency: 861,
        mean: 0.01802,
        deviation: 0.07285,
    },
    Row {
        frequency: 1024,
        mean: 0.01379,
        deviation: 0.07645,
    },
    Row {
        frequency: 1218,
        mean: 0.01275,
        deviation: 0.08666,
    },
    Row {
        frequency: 1448,
        mean: 0.00940,
        deviation: 0.08911,
    },
    Row {
        frequency: 1722,
        mean: 0.01071,
        deviation: 0.15670,
    },
];
